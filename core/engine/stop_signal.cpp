#include "core/engine/stop_signal.h"

namespace sextant {
namespace {

volatile std::sig_atomic_t received_signal = 0;

void note(int signal) {
    received_signal = signal;
}

}  // namespace

StopSignals::StopSignals() {
    received_signal = 0;
    struct sigaction action {};
    action.sa_handler = note;
    sigemptyset(&action.sa_mask);
    ::sigaction(SIGINT, &action, &old_interrupt_);
    ::sigaction(SIGTERM, &action, &old_terminate_);
}
StopSignals::~StopSignals() {
    ::sigaction(SIGINT, &old_interrupt_, nullptr);
    ::sigaction(SIGTERM, &old_terminate_, nullptr);
}
bool StopSignals::received() {
    return received_signal != 0;
}
const char* StopSignals::name() {
    return received_signal == SIGTERM ? "SIGTERM" : "SIGINT";
}

}  // namespace sextant
