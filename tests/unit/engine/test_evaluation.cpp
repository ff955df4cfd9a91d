// The evaluation protocol: golden window counts, sliding against a direct computation, independence of batch size.
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json.h"
#include "core/engine/instruction_loss.h"
#include "core/engine/length_extrapolation.h"
#include "core/engine/path_choice.h"
#include "core/engine/reference_path.h"
#include "tests/support/small_model.h"

using namespace sextant;
using namespace sextant::test;

class TestEvaluation : public QObject {
    Q_OBJECT
  private slots:
    void goldenColdStartWindows() {
        const Json golden =
            read_json_file(std::string(SEXTANT_SHARED_DIR) + "/reference/golden/metrics_formulas.json").value();
        for (const Json& wanted : golden["expected"]["windows"]) {
            const auto windows = cold_start_windows(0, wanted["tokens"], wanted["window"], wanted["stride"]);
            QCOMPARE(windows.size(), wanted["passes"].get<std::size_t>());
            for (std::size_t i = 0; i < wanted["windows"].size(); ++i) {
                QCOMPARE(windows[i].start, wanted["windows"][i]["start"].get<std::int64_t>());
                QCOMPARE(windows[i].end, wanted["windows"][i]["end"].get<std::int64_t>());
                QCOMPARE(windows[i].scored_from, wanted["windows"][i]["scored_from"].get<std::int64_t>());
            }
            QCOMPARE(windows.back().start, wanted["last_window"]["start"].get<std::int64_t>());
            const double share = wanted["fraction_with_context_le_quarter_window"];
            QVERIFY(std::abs(short_context_share(windows, wanted["window"]) - share) < 1e-12);
        }
    }

    void everyTargetIsScoredOnceInEveryMode() {
        for (const char* mode : {"non-overlapping", "sliding", "cold-start"}) {
            for (const std::int64_t stride : {1, 3, 16}) {
                std::vector<int> seen(200, 0);
                for (const EvaluationWindow& window : evaluation_windows(mode, 64, 96, 16, stride)) {
                    QVERIFY(window.start >= 0 && window.end <= 160 && window.end - window.start <= 16);
                    for (std::int64_t i = window.scored_from; i < window.end; ++i)
                        ++seen[static_cast<std::size_t>(i)];
                }
                for (std::size_t i = 0; i < seen.size(); ++i)
                    QCOMPARE(seen[i], i >= 64 && i < 160 ? 1 : 0);
            }
        }
    }

    void slidingByOneEqualsADirectComputation() {
        for (const std::string& id : {std::string("rope"), std::string("alibi"), std::string("sinusoidal")}) {
            SmallModel model(id);
            const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                                  model.gradients.values(), {});
            ReferenceOptions double_options;
            double_options.double_precision = true;
            const auto exact = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                                   model.gradients.values(), double_options);
            const auto tokens = some_tokens(140, 40, 9);
            const std::int64_t length = 32;
            const auto result =
                evaluate_length(*path, model.config, *model.encoding, tokens, {length, "sliding", 1, 40, 96}).value();
            double sum = 0.0;
            double beyond = 0.0;
            for (std::int64_t target = 41; target <= 136; ++target) {  // from exactly the 32 tokens before it
                const auto logits = exact->logits_double(
                    std::span(tokens).subspan(static_cast<std::size_t>(target - length), 32), 1, length);
                const double* last = logits.data() + (length - 1) * 40;
                double total = 0.0;
                for (int v = 0; v < 40; ++v)
                    total += std::exp(last[v]);
                const double loss = std::log(total) - last[tokens[static_cast<std::size_t>(target)]];
                sum += loss;
                beyond += loss;  // position 31 is beyond the training length of 24
            }
            QVERIFY2(std::abs(result.loss - sum / 96.0) < 1e-6, id.c_str());
            QVERIFY(std::abs(result.loss_beyond - beyond / 96.0) < 1e-6);
        }
    }

    void nonOverlappingLossByPositionAveragesToTheLoss() {
        SmallModel model("rope");
        const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                              model.gradients.values(), {});
        const auto tokens = some_tokens(300, 40, 9);
        const auto result =
            evaluate_length(*path, model.config, *model.encoding, tokens, {48, "non-overlapping", 0, 48, 240}).value();
        double mean = 0.0;
        double beyond = 0.0;
        for (std::size_t p = 0; p < 48; ++p) {
            mean += result.by_position[p] / 48.0;
            if (p >= 24) beyond += result.by_position[p] / 24.0;
        }
        QVERIFY(std::abs(mean - result.loss) < 1e-12);
        QVERIFY(std::abs(beyond - result.loss_beyond) < 1e-12);
        QCOMPARE(result.short_context, 0.25);
    }

    void resultsDoNotDependOnTheBatchSize() {
        for (const std::string& id : all_encodings()) {
            SmallModel model(id);
            const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                                  model.gradients.values(), {});
            const auto tokens = some_tokens(200, 40, 9);
            const LengthRequest request{24, "sliding", 5, 24, 120};
            const double one =
                evaluate_length(*path, model.config, *model.encoding, tokens, request, {1, {}, {}})->loss;
            const double many =
                evaluate_length(*path, model.config, *model.encoding, tokens, request, {100000, {}, {}})->loss;
            QVERIFY2(std::abs(one - many) < 1e-5, id.c_str());
        }
    }

    void resultsDoNotDependOnThreadsOrPath() {
        for (const std::string& id : {std::string("rope"), std::string("alibi"), std::string("sinusoidal")}) {
            SmallModel model(id);
            const auto tokens = some_tokens(700, 40, 9);
            std::vector<double> losses;
            for (const char* name : {"reference", "fused"}) {
                for (const std::int64_t threads : {1, 2, 3}) {
                    const auto chosen = choose_path(model.config, *model.encoding, model.layout, model.values.values(),
                                                    model.gradients.values(), {name, "cpu", "float32", threads, 0, {}});
                    for (const std::int64_t batch : {64, 4096}) {
                        double sum = 0.0;
                        for (const char* mode : {"non-overlapping", "sliding", "cold-start"}) {
                            sum += evaluate_length(*chosen->path, model.config, *model.encoding, tokens,
                                                   {48, mode, 7, 48, 480}, {batch, {}, {}})
                                       ->loss;
                        }
                        losses.push_back(sum / 3.0);
                    }
                }
            }
            for (const double loss : losses)
                QVERIFY2(std::abs(loss - losses.front()) < 1e-5, id.c_str());
        }
    }

    void lengthsBeyondALearnedTableAreAReasonNotANumber() {
        SmallModel model("learned");
        const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                              model.gradients.values(), {});
        const auto tokens = some_tokens(200, 40, 9);
        const auto result =
            evaluate_length(*path, model.config, *model.encoding, tokens, {48, "non-overlapping", 0, 48, 96}).value();
        QVERIFY(std::isnan(result.loss));
        QVERIFY(result.reason.find("learned") != std::string::npos);
        QVERIFY(result.reason.find("48") != std::string::npos);
    }

    void tooFewTokensAreRefusedWithTheNumbers() {
        SmallModel model("rope");
        const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                              model.gradients.values(), {});
        const auto result =
            evaluate_length(*path, model.config, *model.encoding, some_tokens(100, 40), {24, "sliding", 5, 24, 96});
        QVERIFY(!result.ok());
        QCOMPARE(result.error().exit_status(), 3);
        QVERIFY(result.error().message.find("121") != std::string::npos);
        QVERIFY(result.error().message.find("100") != std::string::npos);
    }

    void aStoppedEvaluationSaysSo() {
        SmallModel model("rope");
        const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                              model.gradients.values(), {});
        const auto result = stream_loss(*path, some_tokens(100, 40), 24, {24, [] { return true; }, {}});
        QVERIFY(!result.ok());
        QCOMPARE(result.error().exit_status(), 130);
    }

    void answersAreScoredAfterTheirPromptAndCutFromTheLeft() {
        SmallModel model("rope");
        const auto path = make_reference_path(model.config, *model.encoding, model.layout, model.values.values(),
                                              model.gradients.values(), {});
        const auto token_loss = [&](const std::vector<std::int32_t>& tokens, std::size_t target, std::size_t first) {
            std::vector<std::int32_t> inputs(tokens.begin() + static_cast<std::ptrdiff_t>(first),
                                             tokens.begin() + static_cast<std::ptrdiff_t>(target));
            std::vector<std::int32_t> targets(inputs.size(), -1);
            targets.back() = tokens[target];
            std::vector<float> losses(inputs.size());
            path->token_losses(inputs, targets, 1, static_cast<std::int64_t>(inputs.size()), losses);
            return static_cast<double>(losses.back());
        };
        TokenizedInstruction fits{some_tokens(12, 40, 1), 8};
        TokenizedInstruction cut{some_tokens(40, 40, 2), 36};
        const std::vector<TokenizedInstruction> records{fits, cut};
        const auto answers = answer_losses(*path, records, 24).value();
        double first = 0.0;
        for (std::size_t t = 8; t < 12; ++t)
            first += token_loss(fits.tokens, t, 0);
        double second = 0.0;
        for (std::size_t t = 36; t < 40; ++t)
            second += token_loss(cut.tokens, t, 15);  // inputs 15 .. 38
        QCOMPARE(answers[0].count, 4);
        QCOMPARE(answers[1].count, 4);
        QVERIFY(std::abs(answers[0].sum - first) < 1e-4);
        QVERIFY(std::abs(answers[1].sum - second) < 1e-4);
        QVERIFY(std::abs(instruction_loss(*path, records, 24).value() - (first + second) / 8.0) < 1e-4);
        const double chosen = first / 4.0;
        const double rejected = second / 4.0;
        const std::vector<TokenizedPreference> pairs{{fits, cut}, {cut, fits}, {fits, fits}};
        QVERIFY(chosen != rejected);
        QVERIFY(std::abs(preference_accuracy(*path, pairs, 24).value() - 1.0 / 3.0) < 1e-12);
    }
};

QTEST_APPLESS_MAIN(TestEvaluation)
#include "test_evaluation.moc"
