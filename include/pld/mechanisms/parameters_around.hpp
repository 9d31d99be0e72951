#pragma once

namespace pld {

/// Parameters next to those meant, which need not be doubles: their laws bound what is meant from two sides.
template <class Parameters>
struct ParametersAround {
  Parameters below, above;
};

}  // namespace pld
