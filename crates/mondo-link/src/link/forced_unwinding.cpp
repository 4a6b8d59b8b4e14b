//===-- forced_unwinding.cpp - threads that CPython ends hang instead ------===//
//
// Before 3.14, CPython ends a thread that wants the interpreter while that is being finalized: it calls
// `pthread_exit`, which unwinds the thread's stack by force. Frames of this extension must not be unwound so.
// Their destructors would give references back without the interpreter, and the frames that catch
// exceptions would end the process. Besides, glibc unwinds with the libgcc_s.so.1 of the system, whose
// state the unwinder in this image does not share.
//
// The unwinder asks the personality function of each frame what to do. This one stands before that of the
// language, and answers a forced unwinding by hanging the thread for good, as CPython 3.14 does. The frames
// between `pthread_exit` and the first one with a destructor are CPython's, and have nothing to clean up.
//
// The build writes before this file: MONDO_PERSONALITY, the language's function, which the linker wraps.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include <unistd.h>
#include <unwind.h>

#define MONDO_JOIN(a, b) a##b
#define MONDO_NAME(prefix, name) MONDO_JOIN(prefix, name)
#define REAL MONDO_NAME(__real_, MONDO_PERSONALITY)
#define WRAP MONDO_NAME(__wrap_, MONDO_PERSONALITY)

extern "C" {
_Unwind_Reason_Code REAL(int version, _Unwind_Action actions,
                         _Unwind_Exception_Class kind,
                         _Unwind_Exception *exception,
                         _Unwind_Context *frame);

__attribute__((visibility("hidden"))) _Unwind_Reason_Code
WRAP(int version, _Unwind_Action actions, _Unwind_Exception_Class kind,
     _Unwind_Exception *exception, _Unwind_Context *frame) {
  while (actions & _UA_FORCE_UNWIND)
    pause();
  return REAL(version, actions, kind, exception, frame);
}
}
