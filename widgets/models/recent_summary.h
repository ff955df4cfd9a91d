#pragma once
// What a recent project is up to, in one line: read in another thread when the start page is shown, never more than a
// few runs of it.

#include <QMetaType>
#include <QString>
#include <optional>
#include <vector>

namespace sextant {

enum class RunStatus;

struct RecentSummary {
    QString text;                     // "alibi s4 is training, 62 %, 1 queued"
    std::optional<RunStatus> status;  // the glyph before it; none when everything is done
    double progress = 0.0;
    std::vector<double> curve;  // validation losses of the run that was written last
    int slot = 0;               // of that run's arm
};

// Blocks on the disk: not for the GUI thread.
[[nodiscard]] RecentSummary summariseProject(const QString& path);

}  // namespace sextant
