#pragma once
// Attention of one text in trained models, asked of the forward-pass service and kept: the weights of all heads, and on
// demand the other terms of one head. Two sides, A and B, so that runs can be compared. Files of large arrays are read
// in the pool and released at once.

#include <QObject>
#include <QStringList>
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
    std::vector<int> layers, heads;
    std::int64_t length = 0;
    QStringList tokens;
    std::vector<std::shared_ptr<const std::vector<float>>> values;  // layer-major, [T, T] each
    std::vector<HeadNumbers> numbers;                               // the same order; may be empty

    [[nodiscard]] int index(int layer, int head) const;  // -1 when absent
    [[nodiscard]] MatrixData matrix(int layer, int head) const;
};

class AttentionModel : public QObject {
    Q_OBJECT

  public:
    enum class Side { kA, kB };
    explicit AttentionModel(QObject* parent = nullptr);

    // A run folder (its newest checkpoint), or empty to clear the side.
    void setModel(Side side, const QString& run);
    void setText(const QString& text);
    [[nodiscard]] QString text() const { return text_; }
    void load(Side side);  // weights of all heads; an answer that is there already is not asked again
    void loadTerm(Side side, int layer, int head, const QString& term);
    [[nodiscard]] std::shared_ptr<const AttentionMapsOf> weights(Side side) const;
    [[nodiscard]] std::shared_ptr<const AttentionMapsOf> term(Side side, int layer, int head,
                                                              const QString& term) const;
    [[nodiscard]] bool busy() const { return asked_ > 0; }
    [[nodiscard]] QString problem() const { return problem_; }
    [[nodiscard]] EngineClient& client() { return client_; }

  Q_SIGNALS:
    void changed();

  private:
    struct One {
        QString run;
        std::shared_ptr<const AttentionMapsOf> weights;
        std::map<QString, std::shared_ptr<const AttentionMapsOf>> terms;
        bool asked = false;
    };
    void ask(Side side, QJsonObject params, const QString& key);
    void take(Side side, const QString& key, const std::shared_ptr<const AttentionMapsOf>& maps, const QString& problem,
              std::uint64_t generation);
    [[nodiscard]] One& at(Side side) { return sides_[side == Side::kA ? 0 : 1]; }
    [[nodiscard]] const One& at(Side side) const { return sides_[side == Side::kA ? 0 : 1]; }

    EngineClient client_;
    QString text_;
    One sides_[2];
    int asked_ = 0;
    std::uint64_t generation_ = 0;
    QString problem_;
};

}  // namespace sextant
