#pragma once
// The tree of runs: variants with their seeds as children, made from a project snapshot. Live cells arrive as batched
// dataChanged; the tree is only reset when runs or arms come or go. Raw values stand in roles, formatted text in
// DisplayRole.

#include <QAbstractItemModel>
#include <QSet>
#include <QSortFilterProxyModel>

#include "widgets/models/run_snapshot.h"

namespace sextant {

class RunNotes;

class RunModel : public QAbstractItemModel {
    Q_OBJECT

  public:
    enum Column { kName, kValue, kColumnCount };
    enum Role {
        kArmRole = Qt::UserRole,
        kFolderRole,       // empty for a variant
        kStatusRole,       // int of RunStatus
        kProgressRole,     // 0..1
        kSecondsLeftRole,  // double, invalid when unknown
        kValueRole,        // double: validation loss, mean for a variant; invalid when none
        kSlotRole,         // series slot
        kBaselineRole,     // bool
        kDetailRole,       // the one thing that matters, as text
        kTagsRole,         // QStringList
        kVisibleRole,      // drawn in the plots
        kCountRole,        // "6" or "4 of 6"
        kSearchRole,       // text the filter matches
        kSeedRole,
        kKeepRole
    };

    explicit RunModel(QObject* parent = nullptr);

    void setSnapshot(const ProjectSnapshotPtr& snapshot);
    [[nodiscard]] const ProjectSnapshotPtr& snapshot() const { return snapshot_; }
    void setNotes(RunNotes* notes);  // tags and keep marks; not owned
    void setHidden(const QSet<QString>& folders);
    void setBaseline(const QString& arm);

    [[nodiscard]] QStringList waiting() const;                             // folders, the next to start first
    [[nodiscard]] const RunSnapshot* run(const QModelIndex& index) const;  // null for a variant
    [[nodiscard]] QModelIndex indexOf(const QString& arm, const QString& folder) const;

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  Q_SIGNALS:
    void visibilityToggled(const QString& folder, bool visible);

  private:
    struct Arm {
        QString name;
        std::vector<int> runs;  // indices into the snapshot
        friend bool operator==(const Arm&, const Arm&) = default;
    };
    static std::vector<Arm> group(const ProjectSnapshot& snapshot);
    [[nodiscard]] QVariant armData(const Arm& arm, int column, int role) const;
    [[nodiscard]] QVariant runData(const RunSnapshot& run, int column, int role) const;
    [[nodiscard]] QString detail(const RunSnapshot& run) const;
    [[nodiscard]] std::optional<double> mean(const Arm& arm) const;
    void refreshAll();

    ProjectSnapshotPtr snapshot_;
    std::vector<Arm> arms_;
    QStringList folders_;  // of the snapshot the structure was made from
    RunNotes* notes_ = nullptr;
    QSet<QString> hidden_;
    QString baseline_;
};

// Filter words: plain text anywhere, "pe:alibi" the encoding, "seed<3", "seed=2", "is:running", "tag:x"; all must hold.
// A variant stays while one of its seeds does.
class RunFilter : public QSortFilterProxyModel {
    Q_OBJECT

  public:
    explicit RunFilter(QObject* parent = nullptr);
    void setFilterText(const QString& text);
    // Natural order, or by value (NaN and missing last, a total order).
    void setSortByValue(bool byValue);
    [[nodiscard]] int shownRuns() const;

  protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

  private:
    [[nodiscard]] bool matches(const QModelIndex& index) const;
    QStringList words_;
    bool byValue_ = false;
};

// "1 m 50 s", "2 h 05 m".
[[nodiscard]] QString durationText(double seconds);
[[nodiscard]] QString statusText(RunStatus status);

}  // namespace sextant
