#pragma once
// Peak memory of one part of a process's life: the kernel's high-water mark can be started anew, and the old mark is
// kept so that the whole life's peak is not lost.

namespace sextant {

// Starts VmHWM anew from the current value; the peak before, MB, is returned.
double restart_peak_resident();

}  // namespace sextant
