// The published files hold, each broken identity is found with both values named, and hostile files are one sentence.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/results/artifact_audit.h"
#include "tests/unit/results/artifact_fixture.h"

using namespace sextant;
using namespace sextant_test;

namespace {
std::string published(const char* name) {
    return std::string(SEXTANT_SHARED_DIR) + "/published-metrics/" + name + "-public-seed42.json";
}
bool absent() {
    return !QFile::exists(QString::fromStdString(published("alibi")));
}
const AuditFinding* find(const AuditReport& report, const std::string& pointer, AuditLevel level) {
    for (const AuditFinding& finding : report.findings)
        if (finding.pointer == pointer && finding.level == level) return &finding;
    return nullptr;
}
Json ours(std::size_t seeds) {
    return parse_json(dump_json(artifact_of(finished(seeds)).value())).value();
}
}  // namespace

class TestArtifactAudit : public QObject {
    Q_OBJECT
  private slots:
    void the_shipped_record_holds() {
        const QDir record(SEXTANT_SOURCE_DIR "/resources/benchmark-v1/artifacts");
        const QStringList files = record.entryList({"*.json"}, QDir::Files);
        QVERIFY(!files.isEmpty());
        for (const QString& file : files) {
            const AuditReport report = audit_file(record.filePath(file).toStdString());
            QVERIFY2(report.ok(), to_text(report).c_str());
            // Too few seeds for its family: nothing is claimed, whatever the differences are.
            const Json artifact = read_json_file(record.filePath(file).toStdString()).value();
            if (artifact["method"]["seeds"].size() < 9)
                QVERIFY(artifact["statistics"]["claim"].get<std::string>().starts_with("none:"));
        }
    }
    void the_published_files_hold() {
        if (absent()) QSKIP("the published files are not on this machine");
        for (const char* name : {"alibi", "rope"}) {
            const AuditReport report = audit_file(published(name));
            QVERIFY2(report.ok(), to_text(report).c_str());
            for (const char* arm : {"/baseline", "/method"}) {
                for (const char* key :
                     {"perplexity", "composite_loss", "primary", "fitness", "public_composite", "parameters"})
                    QVERIFY2(find(report, std::string(arm) + "/" + key, AuditLevel::kHolds) != nullptr, key);
                QVERIFY(find(report, std::string(arm) + "/post_training_loss", AuditLevel::kWarning) != nullptr);
                QVERIFY(find(report, std::string(arm) + "/initial_loss", AuditLevel::kWarning) != nullptr);
            }
            for (const char* pointer : {"/relative/lm_loss_percent", "/relative/perplexity_percent", "/setup/seed",
                                        "/method/seeds", "/setup/same_tokens_optimizer_and_budget",
                                        "/evaluation_protocol/formal_comparison", "/schema_version"})
                QVERIFY2(find(report, pointer, AuditLevel::kHolds) != nullptr, pointer);
            for (const char* pointer : {"/provenance/dataset_fingerprint", "/provenance/original_code_commit"}) {
                const auto* warning = find(report, pointer, AuditLevel::kWarning);
                QVERIFY(warning != nullptr);
                QVERIFY(warning->sentence.find("not reproducible from this file alone") != std::string::npos);
            }
            const bool a_a = find(report, "/method", AuditLevel::kWarning) != nullptr;
            QCOMPARE(a_a, std::string(name) == "rope");
        }
    }
    void a_changed_third_decimal_is_found_and_both_values_named() {
        if (absent()) QSKIP("the published files are not on this machine");
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.json").toStdString();
        std::string text = read_file(published("alibi")).value();
        text.replace(text.find("421.45259184487134"), 18, "421.45159184487134");
        QVERIFY(write_file_atomically(path, text).ok());
        const AuditReport report = audit_file(path);
        QVERIFY(!report.ok());
        const auto* finding = find(report, "/method/perplexity", AuditLevel::kFailure);
        QVERIFY(finding != nullptr);
        QVERIFY(finding->sentence.find("421.4515918448") != std::string::npos);
        QVERIFY(finding->sentence.find("421.4525918448") != std::string::npos);
    }
    void every_identity_can_fail_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("found_at");
        const auto row = [](const char* pointer, const char* value, const char* at) {
            QTest::newRow((std::string(pointer) + "=" + value).c_str()) << pointer << value << at;
        };
        row("/method/composite_loss", "1.0", "/method/composite_loss");
        row("/baseline/primary", "-1.0", "/baseline/primary");
        row("/baseline/fitness", "-1.0", "/baseline/fitness");
        row("/baseline/public_composite", "-1.0", "/baseline/public_composite");
        row("/relative/lm_loss_percent", "-3.0", "/relative/lm_loss_percent");
        row("/relative/perplexity_percent", "1.0", "/relative/perplexity_percent");
        row("/setup/seed", "7", "/setup/seed");
        row("/baseline/seeds", "[1]", "/method/seeds");
        row("/evaluation_protocol/seeds", "[1]", "/evaluation_protocol/seeds");
        row("/method/parameters", "139585", "/method/parameters");
        row("/setup/d_ff", "128", "/method/parameters");
        row("/method/training_tokens", "1", "/setup/same_tokens_optimizer_and_budget");
        row("/evaluation_protocol/formal_comparison", "true", "/evaluation_protocol/formal_comparison");
        row("/statistics/claim", "\"lower by 1 over 3 seeds\"", "/statistics/claim");
        row("/statistics/endpoint/p", "0.01", "/statistics/endpoint/p");
        row("/fairness/0/batch_order_sha256/method", "\"other\"", "/fairness/0/batch_order_sha256");
        row("/fairness/1/shared_weights_sha256/baseline", "\"other\"", "/fairness/1/shared_weights_sha256");
        row("/per_seed/0/method/lm_loss", "3.5", "/method/lm_loss");
        row("/method/lm_loss", "\"nan\"", "/method/lm_loss");
        row("/method/lm_loss", "-1.0", "/method/lm_loss");
        row("/method/lm_loss", "1e308", "/method/lm_loss");
        row("/method/instruction_loss", "null", "/method/instruction_loss");
        row("/schema_version", "3", "/schema_version");
        row("/schema_version", "\"2\"", "/schema_version");
        row("/method/parameters", "1.5", "/method/parameters");
        row("/method/seeds", "[42, 42, 43]", "/method/seeds");
    }
    void every_identity_can_fail() {
        QFETCH(QString, pointer);
        QFETCH(QString, value);
        QFETCH(QString, found_at);
        Json document = ours(3);
        QVERIFY(audit_artifact(document).ok());
        document[Json::json_pointer(pointer.toStdString())] = parse_json(value.toStdString()).value();
        const AuditReport report = audit_artifact(document);
        QVERIFY2(find(report, found_at.toStdString(), AuditLevel::kFailure) != nullptr, to_text(report).c_str());
    }
    void a_missing_key_is_named() {
        Json document = ours(1);
        document["evaluation_protocol"].erase("tier");
        const AuditReport report = audit_artifact(document);
        QVERIFY(!report.ok());
        QVERIFY(find(report, "/evaluation_protocol/tier", AuditLevel::kFailure) != nullptr);
    }
    void hostile_files_are_one_sentence() {
        QTemporaryDir folder;
        const std::string path = folder.filePath("h.json").toStdString();
        for (const std::string& text :
             {std::string(), std::string("[]"), std::string("{}"), std::string("null"), std::string("\"x\""),
              std::string(100000, '['),
              std::string("{\"schema_version\": 2, \"baseline\": [], \"method\": \"x\", \"setup\": 1e308}"),
              std::string("{\"a\": 1e999}"), std::string("\xff\xfe"),
              std::string("{\"schema_version\":2,\"schema_version\":2}")}) {
            QVERIFY(write_file_atomically(path, text).ok());
            const AuditReport report = audit_file(path);
            QVERIFY(!report.ok());
            for (const AuditFinding& finding : report.findings)
                QVERIFY(!QString::fromStdString(finding.sentence).contains('\n'));
        }
        QVERIFY(!audit_file("/dev/zero").ok());
        QVERIFY(!audit_file(folder.path().toStdString()).ok());
    }
    void huge_sizes_do_not_overflow() {
        Json document = ours(1);
        document["setup"]["dimensions"] = 1000000;
        document["setup"]["layers"] = 10000;
        document["setup"]["d_ff"] = 10000000;
        document["dataset"]["vocab_size"] = 4611686018427387904;
        QVERIFY(!audit_artifact(document).findings.empty());
    }
};

QTEST_APPLESS_MAIN(TestArtifactAudit)
#include "test_artifact_audit.moc"
