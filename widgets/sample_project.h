#pragma once
// The bundled sample: a small finished project inside the program, copied to a temporary folder when it is opened, so
// that anything may be changed and nothing is lost.

#include <QString>

#include "core/base/result.h"

namespace sextant {

[[nodiscard]] bool sampleAvailable();
[[nodiscard]] bool isSampleCopy(const QString& project);
// The folder of the copy.
[[nodiscard]] Result<QString> copySampleProject();

}  // namespace sextant
