/*
 * The kernel lets a process trace another one, open its descriptors or read its memory only if it has every capability of that one. Checks
 * keep SETFCAP. Whatever else runs in a container has given it up, and with it SETPCAP, which is needed for that: root of the container can
 * do none of these to a check.
 */
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Gives up the capabilities of checks, also for whatever program of root this process starts. Returns whether they are gone. */
static bool confine(void) {
  static const int dropped[] = {CAP_SETFCAP, CAP_SETPCAP};
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct held[2];
  if (syscall(SYS_capget, &header, held) != 0) return false;
  for (int index = 0; index < 2; index++) {
    int capability = dropped[index];
    if (prctl(PR_CAPBSET_READ, capability) == 1 && prctl(PR_CAPBSET_DROP, capability) != 0) return false;
    uint32_t rest = ~((uint32_t)1 << capability);
    held[0].effective &= rest;
    held[0].permitted &= rest;
    held[0].inheritable &= rest;
  }
  return syscall(SYS_capset, &header, held) == 0;
}
