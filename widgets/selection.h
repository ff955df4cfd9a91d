#pragma once
// Where the user stands: one object for runs, baseline, layer, head, step, token pair and colour range. Every page
// reads and writes it, so choosing on one page moves all of them. Holds names and numbers only, never data.

#include <QObject>
#include <QSet>
#include <QString>
#include <QStringList>
#include <cstdint>

namespace sextant {

enum class ColourRangeMode { kFixed, kHead, kLayer, kAll, kBothRuns, kPercentile };

struct ColourRange {
    ColourRangeMode mode = ColourRangeMode::kAll;
    double low = 0.0, high = 1.0;
    bool locked = false;
    friend bool operator==(const ColourRange&, const ColourRange&) = default;
};

class Selection : public QObject {
    Q_OBJECT

  public:
    using QObject::QObject;

    [[nodiscard]] const QString& arm() const { return arm_; }
    [[nodiscard]] const QString& run() const { return run_; }            // folder; empty when a whole arm is chosen
    [[nodiscard]] const QString& compared() const { return compared_; }  // the B of A-B; a run's folder
    [[nodiscard]] const QString& baseline() const { return baseline_; }
    [[nodiscard]] const QSet<QString>& hidden() const { return hidden_; }  // run folders not drawn
    [[nodiscard]] int layer() const { return layer_; }
    [[nodiscard]] int head() const { return head_; }
    [[nodiscard]] std::int64_t step() const { return step_; }
    [[nodiscard]] bool followLive() const { return followLive_; }
    [[nodiscard]] int query() const { return query_; }
    [[nodiscard]] int key() const { return key_; }
    [[nodiscard]] const ColourRange& range() const { return range_; }

    void selectArm(const QString& arm);
    void selectRun(const QString& arm, const QString& folder);
    void setCompared(const QString& folder);
    void setBaseline(const QString& arm);
    void setHidden(const QString& folder, bool hidden);
    void setHiddenSet(const QSet<QString>& folders);
    void setLayer(int layer);
    void setHead(int head);
    void setStep(std::int64_t step);  // also stops following live
    void setFollowLive(bool follow);
    void followTo(std::int64_t step);  // moves only while following
    void setCell(int query, int key);  // -1, -1: nothing locked
    void setRange(const ColourRange& range);
    void reset();  // another project

  Q_SIGNALS:
    void runChanged();
    void baselineChanged();
    void visibilityChanged();
    void headChanged();
    void stepChanged();
    void cellChanged();
    void rangeChanged();

  private:
    QString arm_, run_, compared_, baseline_;
    QSet<QString> hidden_;
    int layer_ = 0, head_ = 0;
    std::int64_t step_ = 0;
    bool followLive_ = true;
    int query_ = -1, key_ = -1;
    ColourRange range_;
};

}  // namespace sextant
