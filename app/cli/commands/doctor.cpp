// What a user should know before a long run: how fast the loaded libraries multiply, which device and folders there
// are, and what to install or set where something is wrong.

#include <fmt/format.h>
#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "core/base/build_info.h"
#include "core/base/json.h"
#include "core/engine/system/library_info.h"
#include "core/engine/system/machine.h"

namespace sextant::cli {
namespace {

struct Folder {
    std::string name;
    std::string path;
    bool writable = false;
    std::uintmax_t free_bytes = 0;
};

Folder folder(const std::string& name, const std::string& path) {
    std::error_code error;
    const auto space = std::filesystem::space(path, error);
    return {name, path, ::access(path.c_str(), W_OK) == 0, error ? 0 : space.available};
}

std::vector<Folder> folders() {
    std::vector<Folder> list = {folder("current", std::filesystem::current_path().string())};
    if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0') list.push_back(folder("home", home));
    const char* temporary = std::getenv("TMPDIR");
    list.push_back(folder("temporary", temporary != nullptr && *temporary != '\0' ? temporary : "/tmp"));
    return list;
}

void doctor(Context& context, bool json) {
    const BuildInfo& build = build_info();
    const LibraryInfo libraries = library_info();
    const ProductSpeed speed = measure_product_speed();
    const Machine machine = read_machine();
    std::vector<std::string> warnings = library_warnings(libraries, speed);
    const std::vector<Folder> places = folders();
    for (const Folder& place : places) {
        if (!place.writable) warnings.push_back("the " + place.name + " folder " + place.path + " cannot be written");
        if (place.writable && place.free_bytes < 200'000'000) {
            warnings.push_back(
                fmt::format("the {} folder {} has {} MB left", place.name, place.path, place.free_bytes / 1'000'000));
        }
    }
    const char* locale = std::setlocale(LC_ALL, "");
    const std::string locale_name = locale != nullptr ? locale : "C (the one asked for is not installed)";
    std::setlocale(LC_ALL, "C");

    if (json) {
        OrderedJson document = {
            {"version", build.version},
            {"commit", build.commit},
            {"compiler", build.compiler},
            {"libtorch", libraries.libtorch},
            {"onednn", {{"version", libraries.onednn}, {"isa", libraries.onednn_isa}, {"gflops", speed.onednn_gflops}}},
            {"blas",
             {{"name", libraries.blas},
              {"kernel", libraries.blas_kernel},
              {"file", libraries.blas_file},
              {"gflops", speed.blas_gflops}}},
            {"processor", machine.processor},
            {"threads", machine.cores},
            {"memory_mb", machine.memory_bytes / 1'000'000},
            {"available_mb", machine.available_bytes / 1'000'000},
            {"device", "cpu"},
            {"locale", locale_name},
            {"folders", OrderedJson::array()},
            {"warnings", warnings}};
        for (const Folder& place : places) {
            document["folders"].push_back({{"name", place.name},
                                           {"path", place.path},
                                           {"writable", place.writable},
                                           {"free_mb", place.free_bytes / 1'000'000}});
        }
        print_text(dump_json(document));
        return;
    }
    const std::string kernel = libraries.blas_kernel.empty() ? "" : ", kernel " + libraries.blas_kernel;
    std::string text;
    text += fmt::format("Sextant     {} ({}), {}\n", build.version, build.commit, build.compiler);
    text += fmt::format("processor   {}, {} cores usable, device cpu\n", machine.processor, machine.cores);
    text += fmt::format("memory      {:.1f} GB, {:.1f} GB available\n", static_cast<double>(machine.memory_bytes) / 1e9,
                        static_cast<double>(machine.available_bytes) / 1e9);
    text += fmt::format("LibTorch    {}\n", libraries.libtorch);
    text += fmt::format("oneDNN      {} ({}): {:.0f} GFLOP/s\n", libraries.onednn, libraries.onednn_isa,
                        speed.onednn_gflops);
    text += fmt::format("BLAS        {}{}: {:.0f} GFLOP/s, {}\n", libraries.blas, kernel, speed.blas_gflops,
                        libraries.blas_file);
    text += fmt::format("locale      {}\n", locale_name);
    for (const Folder& place : places) {
        text += fmt::format("{:<11} {} ({}, {} MB free)\n", place.name, place.path,
                            place.writable ? "writable" : "not writable", place.free_bytes / 1'000'000);
    }
    for (const std::string& warning : warnings)
        text += "warning: " + warning + "\n";
    if (warnings.empty()) text += "nothing to mend\n";
    print_text(text);
    (void)context;
}

}  // namespace

void add_doctor(CLI::App& app, Context& context) {
    auto* command = app.add_subcommand("doctor", "Check libraries, speed, device and folders");
    auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "Print one JSON document");
    command->callback([&context, json] { doctor(context, *json); });
}

}  // namespace sextant::cli
