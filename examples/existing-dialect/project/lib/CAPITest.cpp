//===-- CAPITest.cpp - A program of the project's own tests ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#error "the bundle does not compile the project's tests"
