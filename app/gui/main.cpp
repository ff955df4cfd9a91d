// The window's program: `sextant [PROJECT]`, and without a display `--render PAGE` and `--export report|figure`.

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QHashSeed>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <cstdio>
#include <cstring>

#include "app/gui/headless.h"
#include "core/base/build_info.h"
#include "core/base/text.h"
#include "widgets/main_window.h"
#include "widgets/models/session.h"
#include "widgets/theme/theme_controller.h"

namespace {

int refuse(const QString& sentence, int status = 2) {
    std::fprintf(stderr, "sextant: %s\n", sextant::single_line(sentence.toStdString(), 500).c_str());
    return status;
}

bool given(int argc, char** argv, const char* name) {
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], name, std::strlen(name)) == 0) return true;
    }
    return false;
}

// The platform must be chosen before QApplication exists; Qt would abort without a display.
void choosePlatform(int argc, char** argv) {
    const bool headless = given(argc, argv, "--render") || given(argc, argv, "--export") ||
                          given(argc, argv, "--version") || given(argc, argv, "--help") || given(argc, argv, "-h");
    const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY");
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM") && (headless || !display))
        qputenv("QT_QPA_PLATFORM", "offscreen");
}

void installTranslator(QApplication& application, const QString& language) {
    const QLocale locale = language.isEmpty() ? QLocale::system() : QLocale(language);
    auto* own = new QTranslator(&application);
    // English too: its file holds the plural forms.
    if (own->load(locale, QStringLiteral("sextant"), QStringLiteral("_"), QStringLiteral(":/i18n")) ||
        own->load(QStringLiteral(":/i18n/sextant_en.qm")))
        application.installTranslator(own);
    auto* qt = new QTranslator(&application);
    if (qt->load(locale, QStringLiteral("qtbase"), QStringLiteral("_"),
                 QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        application.installTranslator(qt);
}

}  // namespace

int main(int argc, char** argv) {
    using namespace sextant;
    const bool display = qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
                         qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
    // Qt writes the fonts of a PDF in the order of a hash; with a random seed no two exports would be the same bytes.
    QHashSeed::setDeterministicGlobalSeed();
    choosePlatform(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("sextant"));
    QCoreApplication::setApplicationName(QStringLiteral("sextant"));
    QCoreApplication::setApplicationVersion(QString::fromStdString(build_info().version));
    QGuiApplication::setDesktopFileName(QStringLiteral("org.sextant.Sextant"));
    QApplication application(argc, argv);

    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Sextant: a laboratory for position encodings"));
    parser.setSingleDashWordOptionMode(QCommandLineParser::ParseAsLongOptions);
    parser.addPositionalArgument("PROJECT", "Project folder to open", "[PROJECT]");
    const QCommandLineOption help = parser.addHelpOption();
    const QCommandLineOption version({"v", "version"}, "Show version and commit and exit.");
    const QCommandLineOption render("render", "Draw a page into a PNG file, without a display.", "PAGE");
    const QCommandLineOption exportKind("export", "Write a report or a figure, without a display.", "report|figure");
    const QCommandLineOption project("project", "Project folder.", "DIR");
    const QCommandLineOption out("out", "File (or folder, for a report) to write.", "PATH");
    const QCommandLineOption theme("theme", "light or dark.", "THEME");
    const QCommandLineOption size("size", "Size of the picture in pixels, 1600x1000 by default.", "WxH");
    const QCommandLineOption scale("scale", "Pixels a logical pixel, 1 by default.", "FACTOR");
    const QCommandLineOption figure("figure", "Kind of figure, or all of them into a folder.", "KIND|all");
    const QCommandLineOption width("width", "Width of the figure, 5.5in by default.", "LENGTH");
    const QCommandLineOption height("height", "Height of the figure; by default it suits the kind.", "LENGTH");
    const QCommandLineOption venue("venue", "Width of a venue: neurips, iclr, icml-column, icml, acl-column, acl.",
                                   "NAME");
    const QCommandLineOption text("text", "Size of the figure's text in points, 8 by default.", "PT");
    const QCommandLineOption dpi("dpi", "Dots an inch of PNG files, 300 by default.", "N");
    const QCommandLineOption title("title", "Title in the figure's metadata.", "TEXT");
    const QCommandLineOption band("band", "Band over seeds: none, se, sd, interval, min-max.", "BAND");
    const QCommandLineOption arms("arms", "Arms that are drawn, separated by commas; all by default.", "A,B");
    const QCommandLineOption formats("formats", "Formats written: pdf,svg,png,csv,tsv,tex,npy,safetensors.", "LIST");
    const QCommandLineOption spec("spec", "Make the figure of a stored specification again.", "FILE");
    const QCommandLineOption force("force", "Overwrite files that exist.");
    const QCommandLineOption skip("skip", "Keep files that exist.");
    const QCommandLineOption rename("rename", "Write beside files that exist, numbered.");
    const QCommandLineOption page("page", "Page to show first.", "PAGE");
    const QCommandLineOption language("language", "Language of the window: en or zh_CN.", "LOCALE");
    const QCommandLineOption layer("layer", "Layer, for attention.", "N");
    const QCommandLineOption head("head", "Head, for attention.", "N");
    const QCommandLineOption arm("arm", "Arm that is shown.", "NAME");
    parser.addOptions({version, render, exportKind, project, out,     theme, size,   scale, figure,
                       width,   page,   language,   layer,   head,    arm,   height, venue, text,
                       dpi,     title,  band,       arms,    formats, spec,  force,  skip,  rename});
    const QCommandLineOption model("model", "Weights to look into (attention): a folder or a llama2.c file.", "PATH");
    const QCommandLineOption encoding("encoding", "Encoding that is drawn (position).", "NAME");
    const QCommandLineOption heads("heads", "Number of heads (position).", "N");
    const QCommandLineOption view("view", "precision or all (position), probes (attention), published (extrapolation).",
                                  "VIEW");
    const QCommandLineOption tokens("tokens", "Length of the corpus passage (attention) or of the tables (position).",
                                    "N");
    parser.addOptions({model, encoding, heads, view, tokens});
    if (!parser.parse(application.arguments()))
        return refuse(parser.errorText() + QStringLiteral("; see 'sextant --help'"));
    if (parser.isSet(help)) {
        std::fputs(parser.helpText().toUtf8().constData(), stdout);
        return 0;
    }
    if (parser.isSet(version)) {
        std::printf("Sextant %s\ncommit %s\ncompiler %s\nQt %s\n", build_info().version.c_str(),
                    build_info().commit.c_str(), build_info().compiler.c_str(), qVersion());
        return 0;
    }
    if (parser.positionalArguments().size() > 1)
        return refuse(
            QStringLiteral("one project folder at most, %1 were given").arg(parser.positionalArguments().size()));

    HeadlessRequest request;
    request.project = parser.isSet(project) ? parser.value(project) : parser.positionalArguments().value(0);
    request.out = parser.value(out);
    request.arm = parser.value(arm);
    if (parser.isSet(theme)) {
        const QString word = parser.value(theme);
        if (word != "light" && word != "dark")
            return refuse(QStringLiteral("--theme is light or dark, not '%1'").arg(word));
        request.dark = word == "dark";
    }
    if (parser.isSet(size)) {
        const QStringList parts = parser.value(size).split('x');
        bool first = false, second = false;
        request.size = QSize(parts.value(0).toInt(&first), parts.value(1).toInt(&second));
        if (parts.size() != 2 || !first || !second || request.size.width() < 100 || request.size.height() < 100 ||
            request.size.width() > 16384 || request.size.height() > 16384)
            return refuse(QStringLiteral("--size is WIDTHxHEIGHT in pixels, 100 to 16384 each, not '%1'")
                              .arg(parser.value(size)));
    }
    if (parser.isSet(scale)) {
        bool good = false;
        request.scale = QLocale::c().toDouble(parser.value(scale), &good);
        if (!good || request.scale < 0.5 || request.scale > 4)
            return refuse(QStringLiteral("--scale is a number from 0.5 to 4, not '%1'").arg(parser.value(scale)));
    }
    const auto number = [&](const QCommandLineOption& option, int& value) {
        if (!parser.isSet(option)) return true;
        bool good = false;
        value = parser.value(option).toInt(&good);
        return good && value >= 0;
    };
    if (!number(layer, request.layer)) return refuse(QStringLiteral("--layer is a whole number from 0"));
    if (!number(head, request.head)) return refuse(QStringLiteral("--head is a whole number from 0"));

    if (parser.isSet(force) + parser.isSet(skip) + parser.isSet(rename) > 1)
        return refuse(QStringLiteral("--force, --skip and --rename exclude each other"));
    if (parser.isSet(force)) request.existing = OnExisting::kReplace;
    if (parser.isSet(skip)) request.existing = OnExisting::kSkip;
    if (parser.isSet(rename)) request.existing = OnExisting::kRename;
    request.width = parser.value(width);
    request.height = parser.value(height);
    request.venue = parser.value(venue);
    request.title = parser.value(title);
    request.band = parser.value(band);
    request.spec = parser.value(spec);
    request.arms = parser.value(arms).split(',', Qt::SkipEmptyParts);
    request.formats = parser.value(formats).split(',', Qt::SkipEmptyParts);
    if (parser.isSet(text)) {
        bool good = false;
        request.text = QLocale::c().toDouble(parser.value(text), &good);
        if (!good || request.text < 4 || request.text > 24)
            return refuse(QStringLiteral("--text is a size from 4 to 24 points, not '%1'").arg(parser.value(text)));
    }
    if (parser.isSet(dpi) && (!number(dpi, request.dpi) || request.dpi < 30 || request.dpi > 2400))
        return refuse(QStringLiteral("--dpi is a whole number from 30 to 2400, not '%1'").arg(parser.value(dpi)));
    if (!number(heads, request.heads)) return refuse(QStringLiteral("--heads is a whole number"));
    if (!number(tokens, request.tokens)) return refuse(QStringLiteral("--tokens is a whole number"));
    request.model = parser.value(model);
    request.encoding = parser.value(encoding);
    request.view = parser.value(view);

    ThemeController themes(application);
    Session session;
    installTranslator(application, parser.isSet(language) ? parser.value(language) : session.preferences().language());

    if (parser.isSet(render) || parser.isSet(exportKind)) {
        if (parser.isSet(render) && parser.isSet(exportKind))
            return refuse(QStringLiteral("--render or --export, not both"));
        if (request.out.isEmpty() && request.spec.isEmpty())
            return refuse(QStringLiteral("--out names the file to write"));
        Status done;
        if (parser.isSet(render)) {
            request.page = parser.value(render);
            if (!renderPages().contains(request.page))
                return refuse(
                    QStringLiteral("--render: no page '%1'; pages are %2").arg(request.page, renderPages().join(", ")));
            themes.setChoice(request.dark ? ThemeChoice::kDark : ThemeChoice::kLight);
            done = renderPage(session, request);
        } else if (parser.value(exportKind) == "figure") {
            if (parser.isSet(figure)) request.figure = parser.value(figure);
            themes.setChoice(ThemeChoice::kLight);
            done = exportFigures(request);
        } else if (parser.value(exportKind) == "report") {
            themes.setChoice(ThemeChoice::kLight);
            done = exportReport(request);
        } else {
            return refuse(QStringLiteral("--export is report or figure, not '%1'").arg(parser.value(exportKind)));
        }
        if (!done.ok()) return refuse(QString::fromStdString(done.error().sentence()), done.error().exit_status());
        return 0;
    }
    if (!display)
        return refuse(QStringLiteral("no display: set DISPLAY or WAYLAND_DISPLAY, or use --render or --export"));

    themes.setChoice(parser.isSet(theme) ? (request.dark ? ThemeChoice::kDark : ThemeChoice::kLight)
                                         : session.preferences().theme());
    MainWindow window(session);
    if (!request.project.isEmpty() && !window.openProject(request.project) && !session.isOpen())
        std::fprintf(stderr, "sextant: %s: not a Sextant project\n",
                     single_line(request.project.toStdString(), 300).c_str());
    if (parser.isSet(page) && !window.showPage(parser.value(page)))
        return refuse(
            QStringLiteral("--page: no page '%1'; pages are %2").arg(parser.value(page), renderPages().join(", ")));
    window.show();
    return QApplication::exec();
}
