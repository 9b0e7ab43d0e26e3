/*
 * checks: runs verification scripts one after another, each in a bash and a process group of its own.
 *
 * One process serves a whole submission, because each process that a check begins costs a millisecond.
 *
 *   checks             requests on standard input: a line `SECONDS MARK LENGTH reasons [check]`, then a script of LENGTH characters,
 *                      base64-encoded
 *   checks SECONDS     one request: a line with the mark, then the script up to the end of the input (see `run`)
 *
 * Frames on standard output: a type, the length of the rest in four bytes (big-endian), the rest.
 *   O bytes            output of the script
 *   R text             why a function of `prologue` gave up: the script is FAIL. Without the word `reasons` in the request, which older
 *                      releases of the service do not send, the texts and FAIL follow the output instead
 *   E mark ending      the script has ended: `x` it exited, `t` it was stopped after its seconds, `h` a program that it began kept its
 *                      output open or wrote after its end, `k` it was killed, or could not start
 * With the word `check`, the script keeps the capabilities that protect it from root of the container (see confine.h), and whatever it has
 * started is killed when it has ended, in its process group or not. Any other script, such as a set-up, is confined, and may leave programs
 * running.
 *
 * With SECONDS, standard output has the output followed by a line with the mark, and standard error the ending in words.
 *
 * The script runs as the account of this program, in a clean environment, with nothing but the pipe of its output. Whatever writes to
 * that pipe after the script has ended comes too late. The mark is a secret of the platform: it proves that this program reports. The
 * script is in no argument list and in no file that has a name: bash reads it from memory that only the two processes share.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The account `stranger` of `prologue`. */
enum { stranger = 64998, frame_bytes = 32768, mark_bytes = 64, reasons_bytes = 65536 };
/* Bytes of a reason that are sent. */
enum { reason_bytes = 1000 };
/* Characters of a script as it arrives. */
enum { longest = 16 << 20 };
/* Milliseconds for the programs that a script has left to close its output, or for a slow reader at the other end. */
enum { patience = 4000 };
/* Milliseconds to kill what a check has left running, and between two looks. */
enum { cleanup_patience = 2000, cleanup_pause = 2 };

static bool is_single;
/* Whether the service knows frames of reasons. */
static bool has_reasons;
/* Whether the script is a check. */
static bool is_check;
static unsigned char *input;
static size_t input_length, input_size;
static unsigned char out[frame_bytes + 5];
static size_t out_length, out_at;
static char mark[mark_bytes + 1];
/* `/usr/local/sbin:` and `/usr/local/bin:`, or nothing if they are not safe. */
static const char *local_sbin, *local_bin;
/* The folder of the check; empty if no file system has room for it. */
static char room[48];

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Only root can write, replace or redirect the folder. */
static bool is_protected(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 && S_ISDIR(found.st_mode) && found.st_uid == 0 && (found.st_mode & 022) == 0;
}

/*
 * As at a login, programs below /usr/local come before those of the system: a check finds what students find. A student who could write
 * one of these folders could put programs before those of the system.
 */
static void find_folders(void) {
  bool is_safe = is_protected("/usr") && is_protected("/usr/local");
  local_sbin = is_safe && is_protected("/usr/local/sbin") ? "/usr/local/sbin:" : "";
  local_bin = is_safe && is_protected("/usr/local/bin") ? "/usr/local/bin:" : "";
}

/* `private` is root's, `shared` is readable by all, `vault` is the stranger's. The file `sound` proves that there is room for files. */
static bool fill_room(void) {
  char path[64];
  snprintf(path, sizeof path, "%s/vault", room);
  if (mkdir(path, 0700) != 0 || chown(path, stranger, stranger) != 0) return false;
  snprintf(path, sizeof path, "%s/shared", room);
  if (mkdir(path, 0755) != 0) return false;
  snprintf(path, sizeof path, "%s/private", room);
  if (mkdir(path, 0700) != 0) return false;
  snprintf(path, sizeof path, "%s/private/sound", room);
  int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  return file >= 0 && close(file) == 0;
}

/* Removes a folder without files of a script. */
static bool clear_room(void) {
  static const char *const parts[] = {"private/sound", "private", "shared", "vault"};
  char path[64];
  for (size_t index = 0; index < sizeof parts / sizeof *parts; index++) {
    snprintf(path, sizeof path, "%s/%s", room, parts[index]);
    remove(path);
  }
  return rmdir(room) == 0;
}

static void make_room(void) {
  static const char *const places[] = {"/run", "/root", "/tmp"};
  mode_t usual = umask(0);
  *room = '\0';
  for (size_t index = 0; index < sizeof places / sizeof *places; index++) {
    unsigned long long number;
    if (getrandom(&number, sizeof number, 0) != sizeof number) break;
    snprintf(room, sizeof room, "%s/check.%016llx", places[index], number);
    bool is_made = mkdir(room, 0711) == 0;
    if (is_made && fill_room()) break;
    if (is_made) clear_room();
    *room = '\0';
  }
  umask(usual);
}

static void remove_room(void) {
  if (*room == '\0' || clear_room()) return;
  pid_t remover = vfork();
  if (remover == 0) {
    execl("/.grader/bin/busybox", "busybox", "rm", "-rf", room, (char *)NULL);
    _exit(127);
  }
  if (remover > 0) while (waitpid(remover, NULL, 0) < 0 && errno == EINTR) continue;
}

/* The reader is gone, and with it everybody who wants a verdict. */
static void give_up(pid_t script) {
  if (script > 0) kill(-script, SIGKILL);
  remove_room();
  _exit(0);
}

/* Sends as much of the output as the reader takes now. */
static void send_some(pid_t script) {
  while (out_at < out_length) {
    ssize_t count = write(STDOUT_FILENO, out + out_at, out_length - out_at);
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0 && errno != EINTR) give_up(script);
    if (count > 0) out_at += (size_t)count;
  }
  out_at = out_length = 0;
}

static void send_all(void) {
  for (send_some(0); out_length > 0; send_some(0)) {
    struct pollfd writable = {STDOUT_FILENO, POLLOUT, 0};
    poll(&writable, 1, -1);
  }
}

/* The space for the bytes of a frame of output. All earlier frames must have been sent. */
static unsigned char *frame(void) { return out + (is_single ? 0 : 5); }

static void queue_frame(char type, size_t length) {
  if (!is_single) {
    out[0] = (unsigned char)type;
    for (int byte = 0; byte < 4; byte++) out[1 + byte] = (unsigned char)(length >> (8 * (3 - byte)));
  }
  out_length = length + (is_single ? 0 : 5);
}

static void send_frame(char type, const char *text, size_t length) {
  send_all();
  memcpy(frame(), text, length);
  queue_frame(type, length);
  send_all();
}

static void print(const char *text) { send_frame('O', text, strlen(text)); }

static void report(char ending) {
  send_all();
  if (is_single) {
    snprintf((char *)out, sizeof out, "%s\n", mark);
    out_length = strlen((char *)out);
    send_all();
    const char *word = ending == 'x' ? "end\n" : ending == 't' ? "timeout\n" : ending == 'h' ? "held\n" : "";
    if (*word != '\0' && write(STDERR_FILENO, word, strlen(word)) < 0) _exit(1);
    return;
  }
  size_t length = strlen(mark);
  memcpy(frame(), mark, length);
  frame()[length] = (unsigned char)ending;
  queue_frame('E', length + 1);
  send_all();
}

/* Reads input until there are `wanted` bytes, or a line if it is 0. Ends the program at the end of the input. */
static void receive(size_t wanted) {
  while (wanted == 0 ? memchr(input, '\n', input_length) == NULL : input_length < wanted) {
    if (input_length == input_size) {
      input_size *= 2;
      if (input_size > 4 * (size_t)longest || !(input = realloc(input, input_size))) exit(1);
    }
    struct pollfd readable = {STDIN_FILENO, POLLIN, 0};
    poll(&readable, 1, -1);
    ssize_t count = read(STDIN_FILENO, input + input_length, input_size - input_length);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count <= 0 && is_single && wanted != 0) return;
    if (count <= 0) exit(count < 0);
    input_length += (size_t)count;
    if (input_length > 2 * (size_t)longest) exit(1);
  }
}

static void drop(size_t bytes) {
  memmove(input, input + bytes, input_length - bytes);
  input_length -= bytes;
}

/* The value of a base64 digit, or -1. */
static int value_of(unsigned char digit) {
  if (digit >= 'A' && digit <= 'Z') return digit - 'A';
  if (digit >= 'a' && digit <= 'z') return digit - 'a' + 26;
  if (digit >= '0' && digit <= '9') return digit - '0' + 52;
  if (digit == '+') return 62;
  return digit == '/' ? 63 : -1;
}

/* Decodes in place, without NUL, which bash would not keep. Returns the number of bytes, or -1. */
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
    if (index % 4 != 0) {
      unsigned char byte = (unsigned char)(bits >> (6 - index % 4 * 2));
      if (byte != 0) text[bytes++] = byte;
    }
  }
  return (ssize_t)bytes;
}

/* What `check` reads: the folders below /usr/local and that of the check, each on a line, and the script. Returns -1 without memory. */
static int text_of_check(const unsigned char *script, size_t length) {
  int memory = memfd_create("check", MFD_CLOEXEC);
  char head[160];
  int bytes = snprintf(head, sizeof head, "%s\n%s\n%s\n", local_sbin, local_bin, room);
  bool is_written = memory >= 0 && write(memory, head, (size_t)bytes) == bytes;
  for (size_t at = 0; is_written && at < length;) {
    ssize_t count = write(memory, script + at, length - at);
    is_written = count > 0;
    if (count > 0) at += (size_t)count;
  }
  if (is_written && lseek(memory, 0, SEEK_SET) == 0) return memory;
  if (memory >= 0) close(memory);
  return -1;
}

/* In the new process. */
static void begin_script(int text, int output, const sigset_t *usual) {
  char path[160];
  snprintf(path, sizeof path, "PATH=/.grader/bin:%s%s/usr/sbin:/usr/bin:/sbin:/bin", local_sbin, local_bin);
  char *const arguments[] = {"bash", "-c", ". /.grader/check", NULL};
  char *const confined[] = {"confine", "/.grader/bin/bash", "-c", ". /.grader/check", NULL};
  char *const environment[] = {path, "HOME=/root", "LANG=C.UTF-8", "TERM=dumb", NULL};
  setpgid(0, 0);
  int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0 || dup2(nothing, 0) < 0 || dup2(output, 1) < 0 || dup2(nothing, 2) < 0) _exit(127);
  /* Descriptors below 4 are taken: the pipe and the text have higher numbers, so nothing is overwritten. */
  if (dup2(text, 3) < 0) _exit(127);
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, usual, NULL);
  if (is_check) execve("/.grader/bin/bash", arguments, environment);
  else execve("/.grader/bin/confine", confined, environment);
  _exit(127);
}

/* Without a handler SIGCHLD would not interrupt ppoll. */
static void wake(int signal) { (void)signal; }

/* Reaps what the script has left in the meantime. The script itself stays a zombie, so that nothing else can have its number. */
static bool has_ended(pid_t script) {
  for (;;) {
    siginfo_t info = {0};
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) break;
    if (info.si_pid == script) return true;
    waitpid(info.si_pid, NULL, 0);
  }
  siginfo_t own = {0};
  return waitid(P_PID, (id_t)script, &own, WEXITED | WNOHANG | WNOWAIT) == 0 && own.si_pid == script;
}

/* The number of the parent of a process, or -1. */
static long parent_of(const char *name) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%.20s/stat", name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length > 0 ? length : 0] = '\0';
  /* The name of the program can contain anything, a closing parenthesis included. */
  const char *end = strrchr(text, ')');
  long parent = -1;
  return end && sscanf(end + 1, " %*c %ld", &parent) == 1 ? parent : -1;
}

/*
 * Kills what a check has left, whatever its session, group and account. Its orphans are children of this program (`PR_SET_CHILD_SUBREAPER`),
 * and the children of those become so when they die.
 */
static void kill_rest(void) {
  for (int64_t deadline = now() + cleanup_patience; now() < deadline;) {
    pid_t reaped;
    while ((reaped = waitpid(-1, NULL, WNOHANG)) > 0) continue;
    if (reaped < 0 && errno == ECHILD) return;
    DIR *all = opendir("/proc");
    for (struct dirent *entry; all && (entry = readdir(all));)
      if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && parent_of(entry->d_name) == getpid())
        kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
    if (all) closedir(all);
    usleep(1000 * cleanup_pause);
  }
}

/* Copies at most `most` bytes of output. Returns the number of bytes, 0 at the end of the output, and -1 if there are none now. */
static ssize_t copy_some(int output, size_t most) {
  ssize_t count;
  do count = read(output, frame(), most < frame_bytes ? most : frame_bytes);
  while (count < 0 && errno == EINTR);
  if (count > 0) queue_frame('O', (size_t)count);
  return count;
}

/* Copies the output of a script until it ends or its time is over. Returns whether its time is over. */
static bool follow(pid_t script, int *output, int64_t deadline, const sigset_t *usual) {
  bool is_late = false;
  while (!has_ended(script)) {
    int64_t left = deadline - now();
    if (left <= 0 && !is_late) {
      is_late = true;
      kill(-script, SIGKILL);
    }
    struct pollfd files[] = {
      {STDIN_FILENO, POLLRDHUP, 0},
      {out_length > 0 ? STDOUT_FILENO : -1, POLLOUT, 0},
      {out_length > 0 ? -1 : *output, POLLIN, 0},
    };
    struct timespec time = {left / 1000, left % 1000 * 1000000};
    /* SIGCHLD interrupts it, and is blocked elsewhere. */
    if (ppoll(files, 3, is_late ? NULL : &time, usual) < 0) continue;
    if (!is_single && files[0].revents != 0) give_up(script);
    if (files[1].revents != 0) send_some(script);
    if (files[2].revents != 0 && copy_some(*output, frame_bytes) == 0) {
      close(*output);
      *output = -1;
    }
    if (out_length > 0) send_some(script);
  }
  return is_late;
}

/* Copies what the script has written before its end. */
static void drain(int output) {
  int waiting = 0;
  if (output < 0 || ioctl(output, FIONREAD, &waiting) != 0) return;
  while (waiting > 0) {
    send_all();
    ssize_t count = copy_some(output, (size_t)waiting);
    if (count <= 0) return;
    waiting -= (int)count;
  }
}

/* Whether a program still has the output open, or writes to it. */
static bool is_held(int output) {
  if (output < 0) return false;
  for (int64_t deadline = now() + patience, left = patience; left > 0; left = deadline - now()) {
    struct pollfd readable = {output, POLLIN, 0};
    if (poll(&readable, 1, (int)left) <= 0) continue;
    char late[512];
    ssize_t count = read(output, late, sizeof late);
    if (count == 0) return false;
    if (count > 0) return true;
  }
  return true;
}

static int compare(const void *left, const void *right) { return strcmp(*(char *const *)left, *(char *const *)right); }

static void send_reason(const char *line) {
  const char *text = strncmp(line, "- ", 2) == 0 ? line + 2 : line;
  send_frame('R', text, strnlen(text, reason_bytes));
}

/* If a function of `prologue` has removed the file `sound`, the verdict is FAIL whatever the script has printed. */
static void report_failure(void) {
  char path[80];
  snprintf(path, sizeof path, "%s/private/sound", room);
  if (*room == '\0' || access(path, F_OK) == 0) return;
  snprintf(path, sizeof path, "%s/private/reasons", room);
  if (!has_reasons) print("\n");
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  static char text[reasons_bytes + 1];
  static char *lines[reasons_bytes];
  ssize_t length = file < 0 ? 0 : read(file, text, reasons_bytes);
  if (file >= 0) close(file);
  text[length > 0 ? length : 0] = '\0';
  size_t count = 0;
  for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) lines[count++] = line;
  qsort(lines, count, sizeof *lines, compare);
  for (size_t index = 0; index < count; index++) {
    if (index > 0 && strcmp(lines[index], lines[index - 1]) == 0) continue;
    if (has_reasons) {
      send_reason(lines[index]);
      continue;
    }
    lines[index][strnlen(lines[index], frame_bytes - 2)] = '\0';
    print(lines[index]);
    print("\n");
  }
  if (!has_reasons) print("FAIL\n");
  else if (count == 0) send_reason("its own files were removed");
}

static void run_script(long seconds, unsigned char *encoded, size_t length) {
  ssize_t bytes = decode(encoded, length);
  if (bytes < 0) exit(1);
  prctl(PR_SET_CHILD_SUBREAPER, is_check ? 1 : 0);
  find_folders();
  make_room();
  sigset_t child, usual;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, &usual);
  int pipes[2] = {-1, -1};
  int text = text_of_check(encoded, (size_t)bytes);
  bool is_open = text >= 0 && pipe2(pipes, O_CLOEXEC) == 0 && fcntl(pipes[0], F_SETFL, O_NONBLOCK) == 0;
  pid_t script = is_open ? fork() : -1;
  if (script == 0) begin_script(text, pipes[1], &usual);
  if (text >= 0) close(text);
  if (pipes[1] >= 0) close(pipes[1]);
  char ending = 'k';
  if (script > 0) {
    setpgid(script, script);
    bool is_late = follow(script, &pipes[0], now() + 1000 * seconds, &usual);
    /* Before it is reaped, nothing else can have its number. */
    kill(-script, SIGKILL);
    int status = 0;
    while (waitpid(script, &status, 0) < 0 && errno == EINTR) continue;
    drain(pipes[0]);
    report_failure();
    send_all();
    bool is_killed = !WIFEXITED(status) || WEXITSTATUS(status) >= 128;
    ending = is_late ? 't' : is_killed ? 'k' : 'x';
  }
  remove_room();
  if (script > 0 && is_held(pipes[0]) && ending != 't') ending = 'h';
  if (is_check) kill_rest();
  if (pipes[0] >= 0) close(pipes[0]);
  sigprocmask(SIG_SETMASK, &usual, NULL);
  report(ending);
}

_Noreturn static void run_requests(void) {
  for (;;) {
    receive(0);
    char *end = memchr(input, '\n', input_length);
    size_t line = (size_t)(end - (char *)input) + 1, length;
    long seconds;
    char word[8], other[8];
    *end = '\0';
    int words = sscanf((char *)input, "%ld %64s %zu %7s %7s", &seconds, mark, &length, word, other);
    if (words < 3 || length > longest) exit(1);
    has_reasons = words >= 4 && strcmp(word, "reasons") == 0;
    is_check = words == 5 && strcmp(other, "check") == 0;
    drop(line);
    if (length > 0) receive(length);
    run_script(seconds, input, length);
    drop(length);
  }
}

int main(int count, char **words) {
  if (chdir("/") != 0 || !(input = malloc(input_size = 65536))) return 1;
  /* A descriptor that a script would inherit, or that its own could replace. */
  if (fcntl(3, F_GETFD) < 0 && open("/dev/null", O_RDONLY | O_CLOEXEC) != 3) return 1;
  signal(SIGPIPE, SIG_IGN);
  struct sigaction waking = {.sa_handler = wake};
  sigaction(SIGCHLD, &waking, NULL);
  fcntl(STDIN_FILENO, F_SETFL, O_NONBLOCK);
  fcntl(STDOUT_FILENO, F_SETFL, O_NONBLOCK);
  if (count < 2) run_requests();
  is_single = true;
  receive(0);
  char *end = memchr(input, '\n', input_length);
  *end = '\0';
  snprintf(mark, sizeof mark, "%.64s", (char *)input);
  drop((size_t)(end - (char *)input) + 1);
  receive(longest + 1);
  if (input_length > longest) return 1;
  run_script(strtol(words[1], NULL, 10), input, input_length);
  return 0;
}
