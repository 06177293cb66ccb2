// Large answers use memory outside V8's heap. V8 frees such memory in another thread, and counts it until that thread has had its
// turn. On a busy machine it takes dead memory for growth: it marked the whole heap three to five times for each answer of a million rows, which
// took more than half of the processor time of the answer and blocked the event loop for up to 130 ms. Memory that is freed at once is not counted.
require('node:v8').setFlagsFromString('--no-concurrent-array-buffer-sweeping')
