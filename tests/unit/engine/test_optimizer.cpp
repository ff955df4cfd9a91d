// The optimizers against values from outside: golden Newton-Schulz, AdamW's first step in closed form, the schedule.
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/engine/newton_schulz.h"
#include "core/engine/optimizer.h"
#include "tests/support/small_model.h"

using namespace sextant;
using namespace sextant::test;

class TestOptimizer : public QObject {
    Q_OBJECT
  private slots:
    void goldenNewtonSchulz() {
        const Json golden = read_json_file(std::string(SEXTANT_SHARED_DIR) + "/reference/golden/muon_ns.json").value();
        const double rtol = golden["rtol"];
        const double atol = golden["atol"];
        for (const char* name : {"wide_4x6", "tall_6x4", "square_5x5"}) {
            const Json& wanted = golden["expected"][name];
            const auto rows = static_cast<std::int64_t>(wanted["G"].size());
            const auto columns = static_cast<std::int64_t>(wanted["G"][0].size());
            for (const int steps : {1, 5}) {
                std::vector<double> x;
                for (const Json& row : wanted["G"])
                    for (const Json& value : row)
                        x.push_back(value.get<double>());
                std::vector<float> single(x.begin(), x.end());
                newton_schulz(std::span<double>(x), rows, columns, steps);
                newton_schulz(std::span<float>(single), rows, columns, steps);
                const Json& expected = wanted["X_after_" + std::to_string(steps)];
                for (std::int64_t i = 0; i < rows; ++i) {
                    for (std::int64_t j = 0; j < columns; ++j) {
                        const double e = expected[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
                        const auto at = static_cast<std::size_t>(i * columns + j);
                        QVERIFY(std::abs(x[at] - e) <= atol + rtol * std::abs(e));
                        QVERIFY(std::abs(static_cast<double>(single[at]) - e) < 2e-4);
                    }
                }
                const double error =
                    wanted["orthogonality_error_by_step"][static_cast<std::size_t>(steps)]["frobenius_over_sqrt_n"];
                QVERIFY(std::abs(orthogonality_error(std::span<const double>(x), rows, columns) - error) < 1e-9);
            }
        }
    }

    void scheduleWarmsUpAndEndsAtItsRatio() {
        const ScheduleConfig cosine{"cosine", 10, 0.1};
        QCOMPARE(schedule_factor(cosine, 0, 110), 0.1);
        QCOMPARE(schedule_factor(cosine, 9, 110), 1.0);
        QCOMPARE(schedule_factor(cosine, 10, 110), 1.0);
        QVERIFY(std::abs(schedule_factor(cosine, 109, 110) - 0.1) < 1e-12);
        QVERIFY(std::abs(schedule_factor(cosine, 10 + 99 / 3, 110) - (0.1 + 0.9 * 0.75)) < 1e-12);  // cos(pi/3) = 1/2
        QCOMPARE(schedule_factor({"constant", 0, 0.1}, 50, 110), 1.0);
    }

    void firstAdamwStepIsTheSignOfTheGradient() {
        SmallModel model("none");
        OptimizerConfig config;
        config.learning_rate = 0.01;
        config.weight_decay = 0.5;
        config.epsilon = 1e-12;
        Optimizer optimizer(config, {"constant", 0, 1.0}, 10, 0.0, model.layout);
        Random random(2);
        for (float& g : model.gradients.values())
            g = static_cast<float>(random.normal());
        const std::vector<float> before(model.values.values().begin(), model.values.values().end());
        (void)optimizer.apply(0, model.values.values(), model.gradients.values());
        for (const ParameterInfo& parameter : model.layout.parameters) {
            const bool decays = parameter.role == ParameterRole::kHidden || parameter.role == ParameterRole::kEmbedding;
            for (std::int64_t i = parameter.offset; i < parameter.offset + parameter.count; ++i) {
                const auto at = static_cast<std::size_t>(i);
                const float sign = model.gradients.data()[i] > 0.0F ? 1.0F : -1.0F;
                const float wanted = before[at] * (decays ? 1.0F - 0.005F : 1.0F) - 0.01F * sign;
                QVERIFY2(std::abs(model.values.data()[i] - wanted) < 1e-6F, parameter.name.c_str());
            }
        }
    }

    void clippingScalesTheWholeGradient() {
        SmallModel model("none");
        OptimizerConfig config;
        config.kind = "sgd";
        config.learning_rate = 1.0;
        Optimizer optimizer(config, {"constant", 0, 1.0}, 10, 1.0, model.layout);
        const std::vector<float> before(model.values.values().begin(), model.values.values().end());
        const ParameterInfo& first = model.layout.parameters[0];
        model.gradients.data()[first.offset] = 3.0F;
        model.gradients.data()[first.offset + 1] = 4.0F;
        const auto step = optimizer.apply(0, model.values.values(), model.gradients.values());
        QCOMPARE(step.gradient_norm, 5.0);
        const auto at = static_cast<std::size_t>(first.offset);
        QVERIFY(std::abs(before[at] - model.values.data()[first.offset] - 0.6F) < 1e-5F);
        QVERIFY(std::abs(before[at + 1] - model.values.data()[first.offset + 1] - 0.8F) < 1e-5F);
    }

    void aGradientThatIsNotFiniteChangesNothing() {
        SmallModel model("none");
        Optimizer optimizer({}, {}, 10, 1.0, model.layout);
        const std::vector<float> before(model.values.values().begin(), model.values.values().end());
        model.gradients.data()[5] = NAN;
        QVERIFY(!optimizer.apply(0, model.values.values(), model.gradients.values()).finite);
        QVERIFY(std::equal(before.begin(), before.end(), model.values.data()));
    }

    void muonTouchesHiddenMatricesOnlyAndReportsItsError() {
        SmallModel model("none");
        OptimizerConfig config;
        config.kind = "muon";
        config.weight_decay = 0.0;
        Optimizer optimizer(config, {"constant", 0, 1.0}, 10, 0.0, model.layout);
        Random random(4);
        for (const ParameterInfo& parameter : model.layout.parameters)
            for (std::int64_t i = 0; i < parameter.count; ++i)
                model.gradients.data()[parameter.offset + i] = static_cast<float>(random.normal());
        const std::vector<float> before(model.values.values().begin(), model.values.values().end());
        (void)optimizer.apply(0, model.values.values(), model.gradients.values());
        QVERIFY(optimizer.orthogonality_error() > 0.05 && optimizer.orthogonality_error() < 0.9);
        for (const ParameterInfo& parameter : model.layout.parameters) {
            double squares = 0.0;
            for (std::int64_t i = parameter.offset; i < parameter.offset + parameter.count; ++i) {
                const double change = static_cast<double>(model.values.data()[i]) -
                                      static_cast<double>(before[static_cast<std::size_t>(i)]);
                squares += change * change;
            }
            const double count = static_cast<double>(parameter.count);
            if (parameter.role == ParameterRole::kHidden) {
                // Orthogonal up to the method's 0.7 to 1.2: norm about 0.02 sqrt(n) sqrt(max(1, rows/columns)).
                const double n = static_cast<double>(std::min(parameter.shape[0], parameter.shape[1]));
                const double tall =
                    std::max(1.0, static_cast<double>(parameter.shape[0]) / static_cast<double>(parameter.shape[1]));
                const double ratio = std::sqrt(squares) / (0.02 * std::sqrt(n * tall));
                QVERIFY2(ratio > 0.6 && ratio < 1.25, parameter.name.c_str());
            } else {
                QVERIFY2(std::abs(std::sqrt(squares / count) - 1e-3) < 1e-5, parameter.name.c_str());
            }
        }
    }

    void boundedParametersStayInside() {
        for (const std::string& id : all_encodings()) {
            SmallModel model(id);
            OptimizerConfig config;
            config.kind = "sgd";
            config.learning_rate = 100.0;
            for (const float direction : {1.0F, -1.0F}) {
                Optimizer optimizer(config, {"constant", 0, 1.0}, 10, 0.0, model.layout);
                std::fill(model.gradients.values().begin(), model.gradients.values().end(), direction);
                (void)optimizer.apply(0, model.values.values(), model.gradients.values());
                for (const ParameterInfo& parameter : model.layout.parameters) {
                    for (std::int64_t i = 0; i < parameter.count; ++i) {
                        const double value = model.values.data()[parameter.offset + i];
                        if (parameter.has_minimum) QVERIFY(value >= parameter.minimum);
                        if (parameter.has_maximum) QVERIFY(value <= parameter.maximum);
                    }
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestOptimizer)
#include "test_optimizer.moc"
