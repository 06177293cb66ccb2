// Large answers pass through memory outside of V8's heap. V8 frees such memory in a thread beside its own, and counts it until that thread has had its
// turn. On a busy machine it takes what is long dead for growth: it marked the whole heap three to five times for each answer of a million rows, which
// took more than half of the processor time of the answer and held the event loop for up to 130 ms. Freed at once, it is not counted.
require('node:v8').setFlagsFromString('--no-concurrent-array-buffer-sweeping')
