#pragma once
// Attention of one text in trained models, asked of the forward-pass service and kept: the weights of all heads (of a
// long text only those that are looked at), on demand the other terms of one head, and the statistics of all heads over
// the snapshots of a run. Two sides, A and B, so that runs or steps can be compared. What is read or reduced is read
// and reduced in the pool; files of large arrays are released at once.

#include <QObject>
#include <QStringList>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "widgets/engine/engine_client.h"
#include "widgets/plots/matrix.h"

namespace sextant {

struct HeadNumbers {
    double meanDistance = 0, entropy = 0, sinkShare = 0;
};

struct AttentionMapsOf {  // one model, one text, one term
    QString model;
    QString term;
    QString encoding;
    std::vector<int> layers, heads;
    int layerCount = 0, headCount = 0;  // of the model
    std::int64_t step = -1;
    std::int64_t length = 0;
    QStringList tokens;
    std::vector<std::shared_ptr<const std::vector<float>>> values;  // layer-major, [T, T] each
    std::vector<HeadNumbers> numbers;                               // the same order; may be empty
    std::vector<MatrixStatistics> ranges;                           // the same order, masked cells left out
    std::vector<MatrixData> thumbnails;                             // at most 128 cells a side

    [[nodiscard]] int index(int layer, int head) const;  // -1 when absent
    [[nodiscard]] MatrixData matrix(int layer, int head) const;
    [[nodiscard]] std::size_t bytes() const;
};

// Where a side's weights come from: a checkpoint or snapshot folder, a Hugging Face folder or a llama2.c file.
struct AttentionSource {
    QString model;
    QString tokenizer;  // file, where it does not stand beside the weights
    friend bool operator==(const AttentionSource&, const AttentionSource&) = default;
};

// The same text at later positions: how much the weights of each head change.
struct ShiftPoint {
    std::int64_t offset = 0;
    std::vector<double> largest;  // largest change of a weight, layer-major over all heads
    QString problem;              // why there is none (beyond a learned table)
};
// Accuracy of a task probe by distance.
struct ProbePoint {
    std::int64_t distance = 0;
    std::optional<double> accuracy;
    double chance = 0;
    QString reason;
};
struct ProbeResult {
    QString task;
    std::vector<ProbePoint> points;
};

class AttentionModel : public QObject {
    Q_OBJECT

  public:
    enum class Side { kA, kB };
    static constexpr std::int64_t kAllHeads = 640;  // tokens up to which all heads are asked for at once
    explicit AttentionModel(QObject* parent = nullptr);

    void setModel(Side side, const AttentionSource& source);  // an empty one clears the side
    void setModel(Side side, const QString& folder) { setModel(side, AttentionSource{folder, {}}); }
    [[nodiscard]] const AttentionSource& source(Side side) const { return at(side).source; }
    // Clears both sides and all that was kept: folders of another project may have the same names.
    void forget();
    // `limit`: only the first tokens; 0: all.
    void setText(const QString& text, std::int64_t limit = 0);
    [[nodiscard]] QString text() const { return text_; }
    [[nodiscard]] bool longText() const;
    // The weights; those of the head in a long text. An answer that is there already is not asked again.
    void load(Side side, int layer = 0, int head = 0);
    void loadTerm(Side side, int layer, int head, const QString& term);
    [[nodiscard]] std::shared_ptr<const AttentionMapsOf> weights(Side side) const;
    [[nodiscard]] std::shared_ptr<const AttentionMapsOf> term(Side side, int layer, int head,
                                                              const QString& term) const;
    [[nodiscard]] bool busy() const { return asked_ > 0; }
    [[nodiscard]] QString problem() const { return problem_; }
    [[nodiscard]] EngineClient& client() { return client_; }

    // Statistics of all heads at each of these steps, asked one after another when nothing else is.
    void loadHistory(const std::vector<std::pair<std::int64_t, AttentionSource>>& steps);
    struct HistoryPoint {
        std::int64_t step = 0;
        HeadNumbers numbers;
    };
    [[nodiscard]] std::vector<HistoryPoint> history(int layer, int head) const;

    // Probes of side A; results come one by one.
    void loadShift(const std::vector<std::int64_t>& offsets);
    [[nodiscard]] const std::vector<ShiftPoint>& shift() const { return shift_; }
    void loadProbe(const QString& task, const std::vector<std::int64_t>& distances, std::int64_t length);
    [[nodiscard]] const std::map<QString, ProbeResult>& probes() const { return probes_; }

  Q_SIGNALS:
    void changed();
    void historyChanged();
    void probesChanged();

  private:
    struct One {
        AttentionSource source;
        std::shared_ptr<const AttentionMapsOf> weights;
        std::map<QString, std::shared_ptr<const AttentionMapsOf>> terms;
        QString askedKey;
    };
    using Maps = std::shared_ptr<const AttentionMapsOf>;
    using Done = std::function<void(const Maps& maps, const QString& problem)>;
    void ask(const AttentionSource& source, QJsonObject params, Done done);
    // `owner`: what the side showed when this was asked for.
    void take(Side side, const QString& key, const Maps& maps, const QString& problem, const QString& owner);
    [[nodiscard]] QString cacheKey(const AttentionSource& source, int layer, int head) const;
    void remember(const QString& key, const Maps& maps);
    void nextHistory();
    void nextShift();
    [[nodiscard]] One& at(Side side) { return sides_[side == Side::kA ? 0 : 1]; }
    [[nodiscard]] const One& at(Side side) const { return sides_[side == Side::kA ? 0 : 1]; }

    EngineClient client_;
    QString text_;
    std::int64_t limit_ = 0;
    One sides_[2];
    int asked_ = 0;
    QString problem_;
    std::deque<std::pair<QString, Maps>> cache_;  // newest first
    std::size_t cacheBytes_ = 0;
    // History
    std::vector<std::pair<std::int64_t, AttentionSource>> wanted_;
    std::map<QString, std::pair<int, std::vector<HeadNumbers>>> statistics_;  // by source and text: heads, numbers
    bool historyAsked_ = false;
    // Probes
    std::vector<std::int64_t> offsets_;
    std::vector<ShiftPoint> shift_;
    Maps unshifted_;
    std::uint64_t shiftRun_ = 0;
    std::map<QString, ProbeResult> probes_;
    AttentionSource probesOf_;
};

// The tokenizer file that belongs to a foreign model, or empty where the service finds it itself.
[[nodiscard]] QString tokenizerBeside(const QString& model);

}  // namespace sextant
