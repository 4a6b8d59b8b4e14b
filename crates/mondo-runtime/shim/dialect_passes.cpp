//===-- dialect_passes.cpp - Passes of dialects in Rust -------------------===//
//
// A pass has a TypeID for its identity in MLIR's registry, where pipelines, `opt` and Python find it by its name: the
// address of its entry in the table.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect.h"

#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/SaveAndRestore.h"

#include <mutex>
#include <string>
#include <vector>

using namespace mlir;
using namespace mondo;

namespace {

/// A pass that makes more changes than these, and so many for each operation, has patterns that never end. MLIR's own limits are
/// for each of its turns.
constexpr int64_t kRewrites = 10000;
constexpr int64_t kRewritesPerOperation = 1000;

std::optional<StringRef> rootOf(const MondoSdkPass &entry) {
  if (entry.operation.length == 0)
    return std::nullopt;
  return unwrap(entry.operation);
}

class DefinedPass final : public Pass {
public:
  template <typename T>
  using Chosen = std::unique_ptr<Pass::Option<T>>;

  DefinedPass(const MondoSdkDialect &table, const MondoSdkPass &entry)
      : Pass(TypeID::getFromOpaquePointer(&entry), rootOf(entry)), table(table), entry(entry) {
    flags.resize(entry.numOptions);
    integers.resize(entry.numOptions);
    texts.resize(entry.numOptions);
    for (intptr_t i = 0; i < entry.numOptions; ++i)
      addOption(entry.options[i], i);
    for (intptr_t i = 0; i < entry.numStatistics; ++i) {
      const auto *name = names.emplace_back(std::make_unique<std::string>(unwrap(entry.statistics[i].name).str())).get();
      const auto *summary = names.emplace_back(std::make_unique<std::string>(unwrap(entry.statistics[i].summary).str())).get();
      statistics.push_back(
          std::make_unique<Pass::Statistic>(this, name->c_str(), summary->c_str()));
    }
  }

  StringRef getName() const final { return unwrap(entry.name); }
  StringRef getArgument() const final { return unwrap(entry.name); }
  StringRef getDescription() const final { return unwrap(entry.summary); }

  bool canScheduleOn(RegisteredOperationName name) const final {
    return entry.operation.length == 0 || name.getStringRef() == unwrap(entry.operation);
  }

  std::unique_ptr<Pass> clonePass() const final {
    auto copy = std::make_unique<DefinedPass>(table, entry);
    copy->copyOptionValuesFrom(this);
    // MLIR does not initialize copies.
    copy->patterns = patterns;
    return copy;
  }

  /// The dialect brings those that it depends on.
  void getDependentDialects(DialectRegistry &registry) const final { insertDialect(registry, table); }

  LogicalResult initialize(MLIRContext *context) final {
    if (entry.numPatterns == 0)
      return success();
    RewritePatternSet all(context);
    addPatterns(all, ArrayRef(entry.patterns, entry.numPatterns));
    patterns = FrozenRewritePatternSet(std::move(all));
    return success();
  }

  void runOnOperation() final {
    Operation *op = getOperation();
    if (entry.runs && !entry.callbacks->runPass(entry.definition, wrap(op), toOpaque<MondoSdkRun>(this)))
      return signalPassFailure();
    if (entry.numPatterns == 0)
      return;
    Rewriting rewriting{kRewrites, false};
    op->walk([&](Operation *) { rewriting.left += kRewritesPerOperation; });
    const llvm::SaveAndRestore<Rewriting *> here(mondo::rewriting, &rewriting);
    GreedyRewriteConfig config;
#if LLVM_VERSION_MAJOR >= 22
    config.setMaxIterations(GreedyRewriteConfig::kNoLimit);
    const LogicalResult ended = applyPatternsGreedily(op, patterns, config);
#else
    config.maxIterations = GreedyRewriteConfig::kNoLimit;
    const LogicalResult ended = applyPatternsAndFoldGreedily(op, patterns, config);
#endif
    if (rewriting.left <= 0)
      op->emitError() << "the patterns of the pass '" << getArgument() << "' find no end";
    if (rewriting.hasFailed || rewriting.left <= 0 || failed(ended))
      signalPassFailure();
  }

  bool flag(intptr_t index) const { return flags[index] && flags[index]->getValue(); }
  int64_t integer(intptr_t index) const { return integers[index] ? integers[index]->getValue() : 0; }
  StringRef text(intptr_t index) const {
    return texts[index] ? StringRef(texts[index]->getValue()) : StringRef();
  }
  void count(intptr_t index, uint64_t number) { *statistics[index] += number; }

private:
  void addOption(const MondoSdkOption &option, intptr_t index) {
    const StringRef name = unwrap(option.name), initial = unwrap(option.initial);
    const llvm::cl::desc summary(unwrap(option.summary));
    switch (option.kind) {
    case MondoSdkFlag:
      flags[index] = std::make_unique<Pass::Option<bool>>(*this, name, summary,
                                                          llvm::cl::init(initial == "true"));
      return;
    case MondoSdkInteger: {
      int64_t value = 0;
      (void)initial.getAsInteger(10, value);
      integers[index] =
          std::make_unique<Pass::Option<int64_t>>(*this, name, summary, llvm::cl::init(value));
      return;
    }
    case MondoSdkText:
      texts[index] = std::make_unique<Pass::Option<std::string>>(*this, name, summary,
                                                                llvm::cl::init(initial.str()));
      return;
    }
  }

  const MondoSdkDialect &table;
  const MondoSdkPass &entry;
  /// The options by their index; each is in the list of its kind.
  std::vector<Chosen<bool>> flags;
  std::vector<Chosen<int64_t>> integers;
  std::vector<Chosen<std::string>> texts;
  /// The texts that the statistics refer to.
  std::vector<std::unique_ptr<std::string>> names;
  std::vector<std::unique_ptr<Pass::Statistic>> statistics;
  FrozenRewritePatternSet patterns;
};

DefinedPass &passOf(MondoSdkRun *run) { return *reinterpret_cast<DefinedPass *>(run); }

} // namespace

void mondo::registerPasses(const MondoSdkDialect &table) {
  // MLIR's registry has no lock.
  static std::mutex mutex;
  static llvm::DenseSet<const MondoSdkDialect *> registered;
  std::lock_guard<std::mutex> lock(mutex);
  if (!registered.insert(&table).second)
    return;
  for (intptr_t i = 0; i < table.numPasses; ++i)
    registerPass([&table, i] { return std::make_unique<DefinedPass>(table, table.passes[i]); });
}

//===----------------------------------------------------------------------===//
// dialect_sdk.h
//===----------------------------------------------------------------------===//

extern "C" bool mondoSdkRunFlag(MondoSdkRun *run, intptr_t option) { return passOf(run).flag(option); }
extern "C" int64_t mondoSdkRunInteger(MondoSdkRun *run, intptr_t option) {
  return passOf(run).integer(option);
}
extern "C" MlirStringRef mondoSdkRunText(MondoSdkRun *run, intptr_t option) {
  return wrap(passOf(run).text(option));
}
extern "C" void mondoSdkRunCount(MondoSdkRun *run, intptr_t statistic, uint64_t number) {
  passOf(run).count(statistic, number);
}
