// Every self test of an engine that wasm2c has translated to engine.c: prints a name and a word a line.
#include <stdio.h>
#include "engine.h"

int main(void) {
  Z_engine_instance_t engine;
  wasm_rt_init();
  Z_engine_init_module();
  Z_engine_instantiate(&engine);
  printf("self_test %08x\n", Z_engineZ_self_test(&engine));
  printf("self_test_kernels %08x\n", Z_engineZ_self_test_kernels(&engine));
  printf("self_test_forward %08x\n", Z_engineZ_self_test_forward(&engine));
  printf("self_test_graph %08x\n", Z_engineZ_self_test_graph(&engine));
  return 0;
}
