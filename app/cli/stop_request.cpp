#include "app/cli/stop_request.h"

#include <csignal>

namespace sextant::cli {
namespace {

volatile std::sig_atomic_t pending_signal = 0;
volatile std::sig_atomic_t any_signal = 0;
constexpr int kSignals[] = {SIGINT, SIGTERM};

void note(int signal) {
    pending_signal = signal;
    any_signal = 1;
}

void set_all(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    for (const int signal : kSignals)
        (void)::sigaction(signal, &action, nullptr);
}

}  // namespace

StopRequest::StopRequest() {
    pending_signal = 0;
    any_signal = 0;
    set_all(note);
}
StopRequest::~StopRequest() {
    set_all(SIG_DFL);
}
int StopRequest::take() {
    const int signal = pending_signal;
    pending_signal = 0;
    return signal;
}
bool StopRequest::received() {
    return any_signal != 0;
}

}  // namespace sextant::cli
