#pragma once
// The plotting library's header does not compile under our warnings: included here, once, with them off.

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wall"
#endif
#include <qcustomplot.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
