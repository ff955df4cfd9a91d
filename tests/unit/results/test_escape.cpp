#include <QtTest>

#include "core/results/escape.h"

using namespace sextant;

class TestEscape : public QObject {
    Q_OBJECT
  private slots:
    void csv_fields_are_rfc4180_and_no_formulas() {
        QCOMPARE(csv_text("plain"), std::string("plain"));
        QCOMPARE(csv_text("a,b"), std::string("\"a,b\""));
        QCOMPARE(csv_text("say \"hi\""), std::string("\"say \"\"hi\"\"\""));
        QCOMPARE(csv_text("two\nlines"), std::string("\"two\nlines\""));
        for (const char* evil : {"=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"})
            QVERIFY(csv_text(evil).find('\'') <= 1);
        QCOMPARE(csv_text("=HYPERLINK(\"x\")"), std::string("\"'=HYPERLINK(\"\"x\"\")\""));
    }
    void latex_specials_are_text() {
        QCOMPARE(latex_text("_%&#${}~^\\"),
                 std::string("\\_\\%\\&\\#\\$\\{\\}\\textasciitilde{}\\textasciicircum{}\\textbackslash{}"));
        QCOMPARE(latex_text("a--b"), std::string("a-{}-b"));
        QCOMPARE(latex_text("\xe4\xbd\x8d"), std::string("\xe4\xbd\x8d"));
        QCOMPARE(latex_text("a\nb"), std::string("a b"));
    }
    void html_cannot_become_markup() {
        QCOMPARE(html_text("<script>alert(\"x\") & 'y'</script>"),
                 std::string("&lt;script&gt;alert(&quot;x&quot;) &amp; &#39;y&#39;&lt;/script&gt;"));
    }
    void markdown_cannot_break_its_table() {
        QCOMPARE(markdown_text("a|b*c_d"), std::string("a\\|b\\*c\\_d"));
        QCOMPARE(markdown_text("<b>"), std::string("&lt;b\\>"));
        QCOMPARE(markdown_text("x\ny"), std::string("x y"));
    }
    void widths_are_columns() {
        QCOMPARE(display_width("abc"), std::size_t{3});
        QCOMPARE(display_width("\xe4\xbd\x8d\xe7\xbd\xae"), std::size_t{4});  // two Chinese characters
        QCOMPARE(display_width("\xf0\x9f\x98\x80"), std::size_t{2});          // emoji
        QCOMPARE(display_width("e\xcc\x81"), std::size_t{1});                 // e and a combining accent
        QCOMPARE(display_width("\xff\xfe"), std::size_t{2});                  // broken bytes do not crash
    }
    void file_names_stay_in_their_folder() {
        QCOMPARE(file_name_text("alibi"), std::string("alibi"));
        QCOMPARE(file_name_text("../x"), std::string("%2E.%2Fx"));
        QCOMPARE(file_name_text("a b:c"), std::string("a%20b%3Ac"));
        QCOMPARE(file_name_text("\xe4\xbd\x8d"), std::string("\xe4\xbd\x8d"));
        const std::string shortened = file_name_text(std::string(500, 'x'));
        QVERIFY(shortened.size() <= 120);
        QVERIFY(shortened != file_name_text(std::string(501, 'x')));
        std::string chinese;
        for (int i = 0; i < 100; ++i)
            chinese += "\xe4\xbd\x8d";
        QVERIFY(QString::fromStdString(file_name_text(chinese)).toStdString() ==
                file_name_text(chinese));  // whole characters
    }
};

QTEST_APPLESS_MAIN(TestEscape)
#include "test_escape.moc"
