// Loaded into a program with LD_PRELOAD, so that the real binary meets a system that is less kind:
//   SEXTANT_TEST_NO_LOCKS   no hard links and no flock, as on some network and memory-card file systems
//   SEXTANT_TEST_CLOCK      the wall clock jumps a day back and forth, again and again

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include <atomic>

namespace {

template <typename Function>
Function next_of(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

bool asked(const char* name) {
    return ::getenv(name) != nullptr;
}

constexpr time_t kDay = 86400;
std::atomic<unsigned> calls{0};

time_t jump() {
    return asked("SEXTANT_TEST_CLOCK") && calls++ / 7 % 2 == 1 ? -kDay : 0;
}

}  // namespace

extern "C" {

int link(const char* from, const char* to) {
    static const auto next = next_of<int (*)(const char*, const char*)>("link");
    if (!asked("SEXTANT_TEST_NO_LOCKS")) return next(from, to);
    errno = EPERM;
    return -1;
}

int flock(int descriptor, int operation) {
    static const auto next = next_of<int (*)(int, int)>("flock");
    if (!asked("SEXTANT_TEST_NO_LOCKS")) return next(descriptor, operation);
    errno = ENOLCK;
    return -1;
}

int clock_gettime(clockid_t clock, struct timespec* result) {
    static const auto next = next_of<int (*)(clockid_t, struct timespec*)>("clock_gettime");
    const int status = next(clock, result);
    if (status == 0 && clock == CLOCK_REALTIME) result->tv_sec += jump();
    return status;
}

time_t time(time_t* result) {
    static const auto next = next_of<time_t (*)(time_t*)>("time");
    const time_t now = next(nullptr) + jump();
    if (result != nullptr) *result = now;
    return now;
}

}  // extern "C"
