// The ledger's numbers are found again in the tables read from the papers.
#include <QFile>
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/json.h"
#include "core/results/claims.h"

using namespace sextant;

namespace {
bool holds_number(const Json& value, double wanted) {
    if (value.is_number()) return std::abs(value.get<double>() - wanted) < 1e-12;
    if (!value.is_structured()) return false;
    return std::any_of(value.begin(), value.end(), [&](const Json& child) { return holds_number(child, wanted); });
}
}  // namespace

class TestClaims : public QObject {
    Q_OBJECT
  private slots:
    void the_shipped_ledger_is_whole() {
        const Json file = read_json_file(std::string(SEXTANT_SOURCE_DIR) + "/resources/claims.json").value();
        QCOMPARE(claims_ledger().size(), file["claims"].size());
        QVERIFY(claims_ledger().size() >= 20);
        std::set<std::string> papers;
        std::set<ClaimStatus> statuses;
        for (const PaperClaim& claim : claims_ledger()) {
            papers.insert(claim.paper);
            statuses.insert(claim.status);
            QVERIFY2(claim.status != ClaimStatus::kNotTestable || !claim.why.empty(), claim.id.c_str());
        }
        QVERIFY(papers.count("2108.12409") == 1 && papers.count("2104.09864") == 1);
        QCOMPARE(statuses.size(), std::size_t{3});
    }
    void every_number_is_in_the_papers_tables() {
        const std::string path = std::string(SEXTANT_SHARED_DIR) + "/reference/paper_tables.json";
        if (!QFile::exists(QString::fromStdString(path))) QSKIP("the papers' tables are not on this machine");
        const Json tables = read_json_file(path).value()["expected"];
        for (const PaperClaim& claim : claims_ledger()) {
            for (const PublishedFigure& figure : claim.published) {
                if (claim.id == "roformer-decay" || figure.unit == "percent") continue;  // below
                QVERIFY2(holds_number(tables, figure.value), (claim.id + ": " + figure.label).c_str());
            }
        }
    }
    void the_decay_figures_are_the_formulas() {
        // (1 / (d/2)) sum_j |sum_{i<j} exp(i m theta_i)|, d = 128, base 10000 (RoFormer, section 3.4.3).
        for (const PaperClaim& claim : claims_ledger()) {
            if (claim.id != "roformer-decay") continue;
            QVERIFY(claim.published.size() > 4);
            for (const PublishedFigure& figure : claim.published) {
                const double m = std::stod(figure.label.substr(figure.label.find("distance ") + 9));
                double total = 0.0;
                double re = 0.0;
                double im = 0.0;
                for (int i = 0; i < 64; ++i) {
                    const double angle = m * std::pow(10000.0, -i / 64.0);
                    re += std::cos(angle);
                    im += std::sin(angle);
                    total += std::hypot(re, im);
                }
                QVERIFY2(std::abs(total / 64.0 - figure.value) < 0.006, figure.label.c_str());
            }
        }
    }
    void bad_ledgers_are_refused() {
        const Json good = parse_json(claims_ledger_text()).value();
        QVERIFY(parse_claims(good).ok());
        const auto refused = [&](auto change) {
            Json bad = good;
            change(bad);
            return !parse_claims(bad).ok();
        };
        QVERIFY(refused([](Json& j) { j["schema_version"] = 2; }));
        QVERIFY(refused([](Json& j) { j["claims"] = "x"; }));
        QVERIFY(refused([](Json& j) { j["claims"][0]["status"] = "proved"; }));
        QVERIFY(refused([](Json& j) { j["claims"][0].erase("why"); }));
        QVERIFY(refused([](Json& j) { j["claims"][0]["how"] = ""; }));
        QVERIFY(refused([](Json& j) { j["claims"][1]["id"] = j["claims"][0]["id"]; }));
        QVERIFY(refused([](Json& j) { j["claims"][0]["published"][0]["value"] = "8.92"; }));
    }
};

QTEST_APPLESS_MAIN(TestClaims)
#include "test_claims.moc"
