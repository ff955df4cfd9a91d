// The report on A4 pages: set by hand, because a text document would turn the figures into pixels and tables could not
// be split with their heads repeated. Units are the figures' own, 768 an inch, so that nothing depends on a screen.
#include <QBuffer>
#include <QFontMetricsF>
#include <QPageSize>
#include <QPdfWriter>
#include <QTextLayout>
#include <algorithm>
#include <cmath>
#include <functional>

#include "widgets/plots/qcp.h"
#include "widgets/report/report_document.h"
#include "widgets/report/report_text.h"

namespace sextant {

namespace {

constexpr double kUnit = kFigureUnitsPerInch;
constexpr double kPageWidth = 210.0 / 25.4 * kUnit, kPageHeight = 297.0 / 25.4 * kUnit;
constexpr double kMargin = 20.0 / 25.4 * kUnit;
constexpr double kContent = kPageWidth - 2 * kMargin;
constexpr double kBottom = kPageHeight - kMargin;

double points(double value) {
    return value / 72.0 * kUnit;
}

using Paint = std::function<void(QCPPainter&)>;

class Pages {
  public:
    explicit Pages(const ReportDocument& document) : theme_(Theme::light()), document_(document) {
        style_ = PlotStyle::forFigure(theme_, 8.0);
        newPage();
    }

    QFont font(double size, bool bold = false) const {
        QFont result = style_.font(TextRole::kBody);
        result.setPixelSize(static_cast<int>(std::lround(points(size))));
        result.setBold(bold);
        return result;
    }

    void set() {
        paragraph(document_.title, font(20, true), theme_.text, 0, 4);
        paragraph(document_.subtitle, font(10), theme_.text2, 0, 10);
        for (std::size_t i = 0; i < document_.blocks.size(); ++i) {
            const ReportBlock& block = document_.blocks[i];
            const ReportBlock* following = i + 1 < document_.blocks.size() ? &document_.blocks[i + 1] : nullptr;
            switch (block.kind) {
                case ReportBlock::Kind::kHeading:
                    // Never alone at the foot of a page.
                    need(following != nullptr && following->kind == ReportBlock::Kind::kFigure
                             ? kContent * following->figure.ratio + points(90)
                             : points(150));
                    y_ += y_ > kMargin ? points(12) : 0;
                    paragraph(block.text, font(13, true), theme_.text, 0, 3);
                    rule(y_ - points(2), 0.6, theme_.edge);
                    y_ += points(4);
                    break;
                case ReportBlock::Kind::kLead:
                    paragraph(block.text, font(10, true), theme_.text, 0, 6);
                    break;
                case ReportBlock::Kind::kNote:
                    paragraph(block.text, font(8.5), theme_.text2, 0, 6);
                    break;
                case ReportBlock::Kind::kParagraph:
                    paragraph(block.text, font(9.5), theme_.text, 0, 6);
                    break;
                case ReportBlock::Kind::kList:
                    for (const QString& item : block.items) {
                        paragraph(item, font(9.5), theme_.text, points(12), 3);
                        // The dot stands beside the item's first line, on whichever page that came to stand.
                        const QFont dot = font(9.5);
                        const QColor ink = theme_.text2;
                        const double top = firstLine_;
                        pages_[firstPage_].push_back([dot, ink, top](QCPPainter& painter) {
                            painter.setFont(dot);
                            painter.setPen(ink);
                            painter.drawText(QPointF(kMargin + points(2), top + QFontMetricsF(dot).ascent()),
                                             QStringLiteral("•"));
                        });
                    }
                    y_ += points(4);
                    break;
                case ReportBlock::Kind::kTable:
                    table(block.table);
                    break;
                case ReportBlock::Kind::kFigure:
                    figure(block.figure);
                    break;
            }
        }
    }

    void paint(QPdfWriter& writer, QCPPainter& painter) const {
        for (std::size_t page = 0; page < pages_.size(); ++page) {
            if (page > 0) writer.newPage();
            for (const Paint& piece : pages_[page]) {
                painter.save();
                piece(painter);
                painter.restore();
            }
            painter.setFont(font(8));
            painter.setPen(theme_.text2);
            const QString number = ReportTr::tr("%1 of %2").arg(page + 1).arg(pages_.size());
            const QFontMetricsF metrics(font(8));
            const double base = kPageHeight - kMargin / 2;
            painter.drawText(QPointF(kPageWidth - kMargin - metrics.horizontalAdvance(number), base), number);
            painter.drawText(QPointF(kMargin, base),
                             metrics.elidedText(document_.title, Qt::ElideRight, kContent * 0.8));
        }
    }

  private:
    void newPage() {
        pages_.emplace_back();
        y_ = kMargin;
    }
    void need(double height) {
        if (y_ + height > kBottom && y_ > kMargin) newPage();
    }
    void rule(double at, double width, const QColor& color, double from = 0, double length = kContent) {
        pages_.back().push_back([=](QCPPainter& painter) {
            painter.setPen(QPen(color, points(width)));
            painter.drawLine(QPointF(kMargin + from, at), QPointF(kMargin + from + length, at));
        });
    }

    struct Lines {
        std::shared_ptr<QTextLayout> layout;
        double height = 0;
    };
    Lines lay(const QString& text, const QFont& font, double width, Qt::Alignment alignment = Qt::AlignLeft) const {
        Lines lines;
        lines.layout = std::make_shared<QTextLayout>(text, font);
        QTextOption option;
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        option.setAlignment(alignment);
        lines.layout->setTextOption(option);
        lines.layout->beginLayout();
        const double step = std::ceil(font.pixelSize() * 1.36);
        for (QTextLine line = lines.layout->createLine(); line.isValid(); line = lines.layout->createLine()) {
            line.setLineWidth(width);
            line.setPosition(QPointF(0, lines.height));
            lines.height += std::max(step, 0.0);
        }
        lines.layout->endLayout();
        return lines;
    }

    // Breaks between lines when it does not fit.
    void paragraph(const QString& text, const QFont& font, const QColor& ink, double indent, double after) {
        const Lines lines = lay(text, font, kContent - indent);
        const double step = std::ceil(font.pixelSize() * 1.36);
        firstPage_ = pages_.size() - 1;
        for (int i = 0; i < lines.layout->lineCount(); ++i) {
            need(step);
            if (i == 0) {
                firstLine_ = y_;
                firstPage_ = pages_.size() - 1;
            }
            const double top = y_;
            pages_.back().push_back([layout = lines.layout, i, top, indent, ink, step](QCPPainter& painter) {
                painter.setPen(ink);
                layout->lineAt(i).draw(&painter, QPointF(kMargin + indent, top - i * step));
            });
            y_ += step;
        }
        y_ += points(after);
    }

    void figure(const ReportFigure& figure) {
        const double height = kContent * figure.ratio;
        const QString words = figure.title + QStringLiteral(". ") + figure.caption;
        const Lines caption = lay(words, font(8.5), kContent);
        need(height + points(6) + caption.height);
        const double top = y_;
        pages_.back().push_back([source = figure.source, style = style_, top, height](QCPPainter& painter) {
            painter.translate(kMargin, top);
            source->paintFigure(painter, QSizeF(kContent, height), style);
        });
        y_ += height + points(4);
        paragraph(words, font(8.5), theme_.text2, 0, 12);
    }

    std::vector<double> columnsOf(const ReportTable& table, double gap) const {
        const auto count = static_cast<std::size_t>(table.header.size());
        std::vector<double> natural(count, 0), least(count, 0);
        const QFontMetricsF plain(font(8.5)), bold(font(8.5, true));
        const double longestWord = kContent / 4;
        const auto measure = [&](const QString& cell, std::size_t i, const QFontMetricsF& metrics) {
            natural[i] = std::max(natural[i], metrics.horizontalAdvance(cell) + points(1));
            for (const QString& word : cell.split(QLatin1Char(' ')))
                least[i] = std::max(least[i], std::min(metrics.horizontalAdvance(word) + points(1), longestWord));
        };
        for (std::size_t i = 0; i < count; ++i)
            measure(table.header[static_cast<qsizetype>(i)], i, bold);
        for (const QStringList& row : table.rows)
            for (std::size_t i = 0; i < count && static_cast<qsizetype>(i) < row.size(); ++i)
                measure(row[static_cast<qsizetype>(i)], i, plain);
        const double room = kContent - gap * static_cast<double>(count - 1);
        double total = 0, floor = 0;
        for (std::size_t i = 0; i < count; ++i) {
            total += natural[i];
            floor += least[i];
        }
        if (total <= room) return natural;
        if (floor > room) {
            for (double& width : least)
                width *= room / floor;
            return least;
        }
        // What is left beyond the longest words goes to those columns that want more, in proportion.
        for (std::size_t i = 0; i < count; ++i)
            least[i] += (natural[i] - least[i]) * (room - floor) / std::max(total - floor, 1e-9);
        return least;
    }

    void table(const ReportTable& table) {
        const double gap = points(9), pad = points(2);
        const std::vector<double> widths = columnsOf(table, gap);
        double full = gap * static_cast<double>(widths.size() - 1);
        for (const double width : widths)
            full += width;
        const QFont plain = font(8.5), bold = font(8.5, true);
        const auto layRow = [&](const QStringList& cells, const QFont& font, std::vector<Lines>& lines) {
            double height = 0;
            for (std::size_t i = 0; i < widths.size(); ++i) {
                const QString cell = cells.value(static_cast<qsizetype>(i));
                lines.push_back(lay(cell, font, widths[i], table.right[i] ? Qt::AlignRight : Qt::AlignLeft));
                height = std::max(height, lines.back().height);
            }
            return height + 2 * pad;
        };
        const auto drawRow = [&](const std::vector<Lines>& lines, double height) {
            double x = kMargin;
            for (std::size_t i = 0; i < lines.size(); ++i) {
                const QPointF at(x, y_ + pad);
                pages_.back().push_back([layout = lines[i].layout, at, ink = theme_.text](QCPPainter& painter) {
                    painter.setPen(ink);
                    layout->draw(&painter, at);
                });
                x += widths[i] + gap;
            }
            y_ += height;
        };
        std::vector<Lines> head;
        const double headHeight = layRow(table.header, bold, head);
        const auto open = [&] {
            rule(y_, 0.8, theme_.text, 0, full);
            drawRow(head, headHeight);
            rule(y_, 0.5, theme_.text, 0, full);
        };
        const Lines caption = lay(table.caption, font(8.5), kContent);
        need(caption.height + headHeight + points(40));
        paragraph(table.caption, font(8.5), theme_.text2, 0, 2);
        open();
        for (std::size_t r = 0; r < table.rows.size(); ++r) {
            std::vector<Lines> lines;
            const double height =
                layRow(table.rows[r], r < table.strong.size() && table.strong[r] ? bold : plain, lines);
            if (y_ + height > kBottom && y_ > kMargin + headHeight + points(1)) {
                rule(y_, 0.5, theme_.edge, 0, full);
                newPage();
                open();
            }
            drawRow(lines, height);
        }
        rule(y_, 0.8, theme_.text, 0, full);
        y_ += points(12);
    }

    Theme theme_;
    PlotStyle style_;
    const ReportDocument& document_;
    std::vector<std::vector<Paint>> pages_;
    double y_ = 0, firstLine_ = 0;
    std::size_t firstPage_ = 0;
};

}  // namespace

Result<QByteArray> reportPdf(const ReportDocument& document) {
    Pages pages(document);
    pages.set();
    FigureOptions options;
    options.width = 210.0 / 25.4;
    options.height = 297.0 / 25.4;
    options.title = document.title;
    options.provenance = document.provenance;
    return writePdf(options, [&](QPdfWriter& writer, QCPPainter& painter) { pages.paint(writer, painter); });
}

}  // namespace sextant
