#include "widgets/theme/color_vision.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "widgets/theme/theme.h"

namespace sextant {
namespace {

using Triple = std::array<double, 3>;
using Square = std::array<Triple, 3>;

constexpr double kEnough = 7.0;

double linear(double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double encoded(double c) {
    const double v = std::clamp(c, 0.0, 1.0);
    return v <= 0.0031308 ? v * 12.92 : 1.055 * std::pow(v, 1.0 / 2.4) - 0.055;
}

Triple linearOf(const QColor& color) {
    return {linear(color.red() / 255.0), linear(color.green() / 255.0), linear(color.blue() / 255.0)};
}

Triple times(const Square& m, const Triple& v) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i)
        result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
    return result;
}

Triple labOf(const QColor& color) {  // D65
    constexpr Square kToXyz{
        {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}};
    constexpr Triple kWhite{0.95047, 1.0, 1.08883};
    const Triple xyz = times(kToXyz, linearOf(color));
    Triple f{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double t = xyz[i] / kWhite[i];
        f[i] = t > 216.0 / 24389.0 ? std::cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
    }
    return {116.0 * f[1] - 16.0, 500.0 * (f[0] - f[1]), 200.0 * (f[1] - f[2])};
}

double degrees(double radians) {
    return radians * 180.0 / std::numbers::pi;
}
double radians(double angle) {
    return angle * std::numbers::pi / 180.0;
}

double hue(double a, double b) {
    if (a == 0.0 && b == 0.0) return 0.0;
    const double h = degrees(std::atan2(b, a));
    return h < 0.0 ? h + 360.0 : h;
}

double ciede2000(const Triple& first, const Triple& second) {
    const double c1 = std::hypot(first[1], first[2]);
    const double c2 = std::hypot(second[1], second[2]);
    const double mean7 = std::pow((c1 + c2) / 2.0, 7.0);
    const double g = 0.5 * (1.0 - std::sqrt(mean7 / (mean7 + std::pow(25.0, 7.0))));
    const double a1 = (1.0 + g) * first[1];
    const double a2 = (1.0 + g) * second[1];
    const double chroma1 = std::hypot(a1, first[2]);
    const double chroma2 = std::hypot(a2, second[2]);
    const double h1 = hue(a1, first[2]);
    const double h2 = hue(a2, second[2]);
    const double dl = second[0] - first[0];
    const double dc = chroma2 - chroma1;
    double dh = 0.0;
    double meanHue = h1 + h2;
    if (chroma1 * chroma2 != 0.0) {
        dh = h2 - h1;
        if (dh > 180.0) dh -= 360.0;
        if (dh < -180.0) dh += 360.0;
        if (std::abs(h1 - h2) <= 180.0) {
            meanHue /= 2.0;
        } else {
            meanHue = (h1 + h2 < 360.0 ? h1 + h2 + 360.0 : h1 + h2 - 360.0) / 2.0;
        }
    }
    const double dH = 2.0 * std::sqrt(chroma1 * chroma2) * std::sin(radians(dh) / 2.0);
    const double meanL = (first[0] + second[0]) / 2.0;
    const double meanC = (chroma1 + chroma2) / 2.0;
    const double t = 1.0 - 0.17 * std::cos(radians(meanHue - 30.0)) + 0.24 * std::cos(radians(2.0 * meanHue)) +
                     0.32 * std::cos(radians(3.0 * meanHue + 6.0)) - 0.20 * std::cos(radians(4.0 * meanHue - 63.0));
    const double turn = 30.0 * std::exp(-std::pow((meanHue - 275.0) / 25.0, 2.0));
    const double meanC7 = std::pow(meanC, 7.0);
    const double rc = 2.0 * std::sqrt(meanC7 / (meanC7 + std::pow(25.0, 7.0)));
    const double off = std::pow(meanL - 50.0, 2.0);
    const double sl = 1.0 + 0.015 * off / std::sqrt(20.0 + off);
    const double sc = 1.0 + 0.045 * meanC;
    const double sh = 1.0 + 0.015 * meanC * t;
    const double rt = -std::sin(radians(2.0 * turn)) * rc;
    const double l = dl / sl;
    const double c = dc / sc;
    const double h = dH / sh;
    return std::sqrt(l * l + c * c + h * h + rt * c * h);
}

}  // namespace

QColor simulated(const QColor& color, Vision vision) {
    constexpr Square kProtan{
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
    constexpr Square kDeutan{
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
    constexpr Square kTritan{
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    constexpr Square kGrey{{{0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}, {0.2126, 0.7152, 0.0722}}};
    if (vision == Vision::kNormal) return color;
    const Square& matrix = vision == Vision::kProtan   ? kProtan
                           : vision == Vision::kDeutan ? kDeutan
                           : vision == Vision::kTritan ? kTritan
                                                       : kGrey;
    const Triple seen = times(matrix, linearOf(color));
    const auto byte = [](double value) { return static_cast<int>(std::lround(encoded(value) * 255.0)); };
    return {byte(seen[0]), byte(seen[1]), byte(seen[2])};
}

double colorDifference(const QColor& first, const QColor& second) {
    return ciede2000(labOf(first), labOf(second));
}

double smallestDifference(const Theme& theme, const std::vector<int>& slotsUsed, Vision vision) {
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < slotsUsed.size(); ++i)
        for (std::size_t k = i + 1; k < slotsUsed.size(); ++k)
            smallest = std::min(smallest, colorDifference(simulated(theme.series(slotsUsed[i]).color, vision),
                                                          simulated(theme.series(slotsUsed[k]).color, vision)));
    return smallest;
}

FigureChecks checkFigure(const Theme& theme, const std::vector<int>& slotsUsed, double textPoints) {
    const auto apart = [&](Vision vision) {
        for (std::size_t i = 0; i < slotsUsed.size(); ++i) {
            for (std::size_t k = i + 1; k < slotsUsed.size(); ++k) {
                const SeriesStyle a = theme.series(slotsUsed[i]);
                const SeriesStyle b = theme.series(slotsUsed[k]);
                if (a.dash == b.dash &&
                    colorDifference(simulated(a.color, vision), simulated(b.color, vision)) < kEnough)
                    return false;
            }
        }
        return true;
    };
    return {textPoints >= 7.0, apart(Vision::kProtan) && apart(Vision::kDeutan) && apart(Vision::kTritan),
            apart(Vision::kGrey)};
}

}  // namespace sextant
