#pragma once
// SHA-256 over OpenSSL's libcrypto, as lower-case hex. Used for identities (plans, corpora, checkpoints), never
// secrets.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace sextant {

class Sha256 {
  public:
    Sha256();
    ~Sha256();
    Sha256(Sha256&&) noexcept;
    Sha256& operator=(Sha256&&) noexcept;
    void update(const void* data, std::size_t size);
    void update(std::string_view text) { update(text.data(), text.size()); }
    [[nodiscard]] std::string hex();  // finishes; call once

  private:
    struct State;
    std::unique_ptr<State> state_;
};

[[nodiscard]] std::string sha256_hex(std::string_view bytes);
[[nodiscard]] Result<std::string> sha256_file(const std::string& path);

}  // namespace sextant
