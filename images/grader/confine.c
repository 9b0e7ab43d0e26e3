/*
 * confine PROGRAM [ARGUMENT...]: runs a program without the capabilities of checks (see confine.h): the first process of a container,
 * terminals, set-up scripts, and the programs that a check runs as another account.
 *
 * Ends with 126 if it cannot drop them, and with 127 if the program cannot be started.
 */
#define _GNU_SOURCE
#include "confine.h"

int main(int count, char **words) {
  if (count < 2 || !confine()) return 126;
  execvp(words[1], words + 1);
  return 127;
}
