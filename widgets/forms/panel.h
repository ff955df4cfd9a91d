#pragma once
// Plain grounds and titled sections of docks and side panels: a surface of the theme with one hairline, a dock's title
// bar, and a section with a bold heading over its widgets.

#include <QWidget>

class QLabel;
class QVBoxLayout;

namespace sextant {

class QuietLabel;

class Panel : public QWidget {
    Q_OBJECT

  public:
    enum class Ground { kWindow, kPanel, kPlot };
    enum class Edge { kNone, kLeft, kRight, kTop, kBottom };
    explicit Panel(Ground ground, Edge edge = Edge::kNone, QWidget* parent = nullptr);

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    Ground ground_;
    Edge edge_;
};

// 28 high: bold title, quiet note, widgets at the right.
class DockTitle : public Panel {
    Q_OBJECT

  public:
    explicit DockTitle(const QString& title, QWidget* parent = nullptr);
    void setTitle(const QString& title);
    void setNote(const QString& note);
    void addWidget(QWidget* widget);

  private:
    QuietLabel* title_;
    QuietLabel* note_;
};

class Section : public Panel {
    Q_OBJECT

  public:
    explicit Section(const QString& title, QWidget* parent = nullptr);
    void add(QWidget* widget);
    // A name and a value in mono; the label is returned so that its text can change.
    QuietLabel* addLine(const QString& name, const QString& value = {});
    void setTitle(const QString& title);

  private:
    QuietLabel* title_;
    QVBoxLayout* column_;
};

}  // namespace sextant
