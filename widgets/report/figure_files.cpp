#include "widgets/report/figure_files.h"

#include <QDir>
#include <QFileInfo>
#include <nlohmann/json.hpp>

#include "core/base/atomic_file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/results/project_export.h"
#include "widgets/report/report_text.h"

namespace sextant {

namespace {

struct BandName {
    BandKind kind;
    const char* name;
};
constexpr BandName kBands[] = {{BandKind::kNone, "none"},
                               {BandKind::kStandardError, "se"},
                               {BandKind::kStandardDeviation, "sd"},
                               {BandKind::kInterval95, "interval"},
                               {BandKind::kMinMax, "min-max"}};

}  // namespace

const QStringList& figureFormats() {
    static const QStringList kFormats{"pdf", "svg", "png", "csv", "tsv", "tex", "npy", "safetensors"};
    return kFormats;
}

bool needsMatrix(const QString& format) {
    return format == QLatin1String("npy") || format == QLatin1String("safetensors");
}

Result<QByteArray> figureBytes(const ReportFigure& figure, const FigureOptions& options, const QString& format) {
    if (format == QLatin1String("pdf")) return renderPdf(*figure.source, options);
    if (format == QLatin1String("svg")) return renderSvg(*figure.source, options);
    if (format == QLatin1String("png")) return renderPng(*figure.source, options);
    if (format == QLatin1String("csv")) return figure.csv(options);
    if (format == QLatin1String("tsv")) return figure.csv(options, '\t');
    if (format == QLatin1String("tex")) return figure.pgf(options);
    if (needsMatrix(format) && figure.matrices.empty())
        return usage_error("a figure of kind " + figure.kind.toStdString() + " has no matrix; take csv");
    if (format == QLatin1String("npy")) return figure.npy();
    if (format == QLatin1String("safetensors")) return figure.safetensors();
    return usage_error("a figure file ends in ." + figureFormats().join(", .").toStdString() + ", not \"" +
                       single_line(format.toStdString(), 40) + "\"");
}

FigureSpec specOf(const FigureRequest& request, const FigureOptions& options) {
    FigureSpec spec;
    spec.kind = request.kind.toStdString();
    spec.width = options.width;
    spec.height = options.height;
    spec.text_points = options.textPoints;
    spec.theme = options.theme.dark() ? "dark" : "light";
    spec.title = options.title.toStdString();
    spec.dots_per_inch = options.dotsPerInch;
    OrderedJson data = OrderedJson::object();
    if (!request.arm.isEmpty()) data["arm"] = request.arm.toStdString();
    if (!request.arms.isEmpty()) {
        data["arms"] = OrderedJson::array();
        for (const QString& arm : request.arms)
            data["arms"].push_back(arm.toStdString());
    }
    if (request.kind.startsWith(QLatin1String("attention"))) {
        data["layer"] = request.layer;
        data["head"] = request.head;
    }
    for (const BandName& band : kBands)
        if (band.kind == request.band) data["band"] = band.name;
    spec.data = dump_json(data, -1);
    return spec;
}

Result<FigureRequest> requestOf(const FigureSpec& spec, const std::string& path) {
    FigureRequest request;
    request.kind = fromCore(spec.kind);
    SEXTANT_TRY(data, parse_json(spec.data, path));
    for (const auto& [key, value] : data.items()) {
        const auto wrong = [&](const char* what) {
            Error error = config_error(what, json_pointer("/data", key));
            error.path = path;
            return error;
        };
        if (key == "arm") {
            if (!value.is_string()) return wrong("must be the name of an arm");
            request.arm = fromCore(value.get<std::string>());
        } else if (key == "arms") {
            if (!value.is_array()) return wrong("must be a list of names");
            for (const auto& arm : value) {
                if (!arm.is_string()) return wrong("must be a list of names");
                request.arms << fromCore(arm.get<std::string>());
            }
        } else if (key == "layer" || key == "head") {
            if (!value.is_number_integer() || value.get<std::int64_t>() < 0 || value.get<std::int64_t>() > 10000)
                return wrong("must be a whole number from 0");
            (key == "layer" ? request.layer : request.head) = value.get<int>();
        } else if (key == "band") {
            bool known = false;
            for (const BandName& band : kBands) {
                if (!value.is_string() || value.get<std::string>() != band.name) continue;
                request.band = band.kind;
                known = true;
            }
            if (!known) return wrong("must be \"none\", \"se\", \"sd\", \"interval\" or \"min-max\"");
        } else {
            return wrong("is not known; a figure has \"arm\", \"arms\", \"layer\", \"head\" and \"band\"");
        }
    }
    return request;
}

FigureOptions optionsOf(const FigureSpec& spec, const ReportModel& report) {
    FigureOptions options;
    options.width = spec.width;
    options.height = spec.height;
    options.textPoints = spec.text_points;
    options.dotsPerInch = spec.dots_per_inch;
    options.theme = spec.theme == "dark" ? Theme::darkTheme() : Theme::light();
    options.title = fromCore(spec.title);
    options.provenance = {{QStringLiteral("project"), fromCore(report.title)},
                          {QStringLiteral("figure"), fromCore(spec.kind)},
                          {QStringLiteral("commit"), fromCore(report.provenance.commit)},
                          {QStringLiteral("device"), fromCore(report.provenance.cpu)}};
    if (!report.provenance.data.tokens_sha256.empty())
        options.provenance.emplace_back(QStringLiteral("tokens"), fromCore(report.provenance.data.tokens_sha256));
    for (const ReportRun& run : report.runs)  // the folder's name ends in the hash of its settings
        options.provenance.emplace_back(QStringLiteral("run"), fromCore(run.folder));
    return options;
}

Result<WrittenFiles> writeFiles(const std::vector<ReportFile>& files, const QString& folder, OnExisting existing) {
    std::vector<ExportedFile> plain;
    for (const ReportFile& file : files)
        plain.push_back({file.name.toStdString(), file.bytes.toStdString()});
    const ExistingFile rule = existing == OnExisting::kReplace  ? ExistingFile::kOverwrite
                              : existing == OnExisting::kSkip   ? ExistingFile::kSkip
                              : existing == OnExisting::kRename ? ExistingFile::kRename
                                                                : ExistingFile::kRefuse;
    SEXTANT_TRY(result, write_export(plain, folder.toStdString(), rule));
    WrittenFiles written;
    for (const std::string& path : result.written)
        written.written << fromCore(path);
    for (const std::string& path : result.skipped)
        written.kept << fromCore(path);
    return written;
}

}  // namespace sextant
