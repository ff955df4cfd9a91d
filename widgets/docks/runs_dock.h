#pragma once
// The run tree at the left: filter, variants with their seeds, what one can do with them by keyboard and menu.

#include <QWidget>

class QLineEdit;
class QMenu;
class QTreeView;

namespace sextant {

class Commands;
class DockTitle;
class RunFilter;
class RunModel;
class Session;

class RunsDock : public QWidget {
    Q_OBJECT

  public:
    RunsDock(Session& session, Commands& commands, QWidget* parent = nullptr);
    [[nodiscard]] QTreeView* tree() const { return tree_; }
    [[nodiscard]] RunModel* model() const { return model_; }
    void focusFilter();
    void toggleVisible();
    [[nodiscard]] QStringList chosenFolders() const;  // every selected run, arms opened up

  private:
    void takeSnapshot();
    void selectionToTree();
    void treeToSelection();
    void showMenu(const QPoint& at);

    Session& session_;
    Commands& commands_;
    RunModel* model_;
    RunFilter* filter_;
    QTreeView* tree_;
    QLineEdit* search_;
    DockTitle* title_;
    bool moving_ = false;
};

}  // namespace sextant
