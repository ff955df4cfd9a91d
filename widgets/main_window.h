#pragma once
// Assembles the window: menus and tool bar from the command table, start page, editor and workspace, docks, step bar
// and queue strip. Decides nothing itself: commands go to the session or to the page in front.

#include <QMainWindow>
#include <array>

class QDockWidget;
class QLabel;
class QScrollArea;
class QStackedWidget;
class QToolBar;

namespace sextant {

class Commands;
class CommandPalette;
class DockTitle;
class EditorPage;
struct FigureOptions;
class QueueStrip;
class QuietLabel;
class RunInspector;
class RunsDock;
class Segments;
class Session;
class StartPage;
class StepBar;
class Workspace;

class MainWindow : public QMainWindow {
    Q_OBJECT

  public:
    explicit MainWindow(Session& session, QWidget* parent = nullptr);
    ~MainWindow() override;

    bool openProject(const QString& path);  // false with a message on the page in front
    void openSample();
    // Shows another folder's runs beside the open project's; without a project it is opened.
    bool compareWith(const QString& path);
    void showStart();
    void newExperiment(const QString& preset = QStringLiteral("quick"));
    void editExperiment();
    // start, editor, or a page of the workspace.
    bool showPage(const QString& name);
    void trainFirst();

    [[nodiscard]] Session& session() { return session_; }
    [[nodiscard]] Commands& commands() { return *commands_; }
    [[nodiscard]] Workspace* workspace() const { return workspace_; }
    [[nodiscard]] EditorPage* editor() const { return editor_; }
    [[nodiscard]] StartPage* start() const { return start_; }
    [[nodiscard]] RunsDock* runs() const { return runs_; }
    [[nodiscard]] StepBar* stepBar() const { return steps_; }
    [[nodiscard]] CommandPalette* palette() const { return palette_; }

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    void makeToolBar();
    void makeDocks();
    void connectCommands();
    void connectSession();
    void showFront(QWidget* widget);
    void refreshTitle();
    void refreshSteps();
    void refreshInspector();
    void refreshCommands();
    void saveExperiment(const QString& project);
    void queueExperiment(const QString& project);
    void confirmStop();
    void trashRuns();
    void saveFigure();
    void saveData();
    [[nodiscard]] FigureOptions figureOptions() const;
    void copyText(const QString& text);
    void showMessage(const QString& fact, const QString& consequence, bool error);
    void applyPreferences();

    Session& session_;
    Commands* commands_;
    QStackedWidget* front_;
    StartPage* start_;
    EditorPage* editor_;
    Workspace* workspace_;
    QToolBar* tools_ = nullptr;
    QToolBar* stepTools_ = nullptr;
    QDockWidget* runsDock_ = nullptr;
    QDockWidget* inspectorDock_ = nullptr;
    DockTitle* inspectorTitle_ = nullptr;
    QStackedWidget* inspectors_ = nullptr;
    RunsDock* runs_ = nullptr;
    RunInspector* inspector_ = nullptr;
    StepBar* steps_ = nullptr;
    QueueStrip* queue_ = nullptr;
    Segments* modes_ = nullptr;
    QuietLabel* machine_ = nullptr;
    CommandPalette* palette_ = nullptr;
    void restoreLayout(const QByteArray& layout);
    void changeWorkspace(int next);
    QByteArray defaultLayout_;
    std::array<QByteArray, 4> layouts_;  // of Train, Inspect, Compare, Paper
    int workspaceIndex_ = 0;
    bool movingStep_ = false;
};

}  // namespace sextant
