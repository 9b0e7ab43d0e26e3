/*
 * prepare: what `run` needs before a check, in one process instead of ten, because each process costs a millisecond.
 *
 * Standard input: a script, base64-encoded. Standard output:
 *   `/usr/local/sbin:` and `/usr/local/bin:` for the search path, each on a line, which is empty if the folder is not safe;
 *   the folder of the check on a line, which is empty if no file system has room for it;
 *   the script, and a full stop, because a shell drops line feeds at the end of what it captures.
 * Exit status: 0, or 1 if the input is not base64, longer than 16 MiB, or cannot be written.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* The account `stranger` of `prologue`. */
enum { stranger = 64998, longest = 16 << 20 };

/* Only root can write, replace or redirect the folder. */
static bool is_protected(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == 0 && (found.st_mode & 022) == 0;
}

/*
 * As at a login, programs below /usr/local come before those of the system: a check finds what students find. A student who could write
 * one of these folders could put programs before those of the system.
 */
static void print_folders(void) {
  bool is_safe = is_protected("/usr") && is_protected("/usr/local");
  puts(is_safe && is_protected("/usr/local/sbin") ? "/usr/local/sbin:" : "");
  puts(is_safe && is_protected("/usr/local/bin") ? "/usr/local/bin:" : "");
}

/* `private` is root's, `shared` is readable by all, `vault` is the stranger's. The file `sound` proves that there is room for files. */
static bool fill(const char *room) {
  char path[64];
  snprintf(path, sizeof path, "%s/vault", room);
  if (mkdir(path, 0700) != 0 || chown(path, stranger, stranger) != 0) return false;
  snprintf(path, sizeof path, "%s/shared", room);
  if (mkdir(path, 0755) != 0) return false;
  snprintf(path, sizeof path, "%s/private", room);
  if (mkdir(path, 0700) != 0) return false;
  snprintf(path, sizeof path, "%s/private/sound", room);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
  return file >= 0 && close(file) == 0;
}

static void clear(const char *room) {
  static const char *const parts[] = {"private/sound", "private", "shared", "vault"};
  char path[64];
  for (size_t index = 0; index < sizeof parts / sizeof *parts; index++) {
    snprintf(path, sizeof path, "%s/%s", room, parts[index]);
    remove(path);
  }
  rmdir(room);
}

static void print_room(void) {
  static const char *const places[] = {"/run", "/root", "/tmp"};
  char room[48] = "";
  umask(0);
  for (size_t index = 0; index < sizeof places / sizeof *places; index++) {
    unsigned long long number;
    if (getrandom(&number, sizeof number, 0) != sizeof number) break;
    snprintf(room, sizeof room, "%s/check.%016llx", places[index], number);
    if (mkdir(room, 0711) == 0) {
      if (fill(room)) break;
      clear(room);
    }
    *room = '\0';
  }
  puts(room);
}

/* The value of a base64 digit, or -1. */
static int value_of(unsigned char digit) {
  if (digit >= 'A' && digit <= 'Z') return digit - 'A';
  if (digit >= 'a' && digit <= 'z') return digit - 'a' + 26;
  if (digit >= '0' && digit <= '9') return digit - '0' + 52;
  if (digit == '+') return 62;
  return digit == '/' ? 63 : -1;
}

/* Decodes in place. Returns the number of bytes, or -1. */
static ssize_t decode(unsigned char *text, size_t length) {
  while (length > 0 && text[length - 1] == '\n') length--;
  if (length % 4 != 0) return -1;
  for (int padding = 0; padding < 2 && length > 0 && text[length - 1] == '='; padding++) length--;
  unsigned long bits = 0;
  size_t bytes = 0;
  for (size_t index = 0; index < length; index++) {
    int value = value_of(text[index]);
    if (value < 0) return -1;
    bits = (bits << 6 | (unsigned long)value) & 0xffffff;
    if (index % 4 != 0) text[bytes++] = (unsigned char)(bits >> (6 - index % 4 * 2));
  }
  return (ssize_t)bytes;
}

int main(void) {
  static unsigned char text[longest + 1];
  size_t length = 0;
  for (;;) {
    ssize_t count = read(STDIN_FILENO, text + length, sizeof text - length);
    if (count < 0 || length + (size_t)count > longest) return 1;
    if (count == 0) break;
    length += (size_t)count;
  }
  ssize_t bytes = decode(text, length);
  if (bytes < 0) return 1;
  print_folders();
  print_room();
  fwrite(text, 1, (size_t)bytes, stdout);
  putchar('.');
  return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
