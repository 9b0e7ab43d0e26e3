/*
 * hold: keeps a terminal and its login shell inside a container, independently of the connection that shows it.
 *
 *   hold COLS ROWS BYTES SECONDS
 *   hold as UID GID COMMAND...   runs a command as an account, by its numbers: nothing of the container is read for it
 *   hold attach SOCKET           connects standard input and output with the socket; `+` first if it is there
 *
 * The last two serve connections that do not use the SSH server of the container.
 *
 * It runs as the student, or as root where students are root. It creates a socket, starts the shell, prints the path of the socket and continues in the background. One
 * connection at a time attaches to the socket; a newer one replaces it. The last BYTES of output are kept. Without a connection the
 * shell continues for SECONDS, then it is hung up. Time in which the container is frozen does not count.
 *
 * Frames in both directions: a type, the length of the rest in four bytes, the rest. Numbers are big-endian.
 *   to the holder   A offset(8)      attach: first the kept output from this offset on, or the oldest kept output
 *                   I bytes          input
 *                   W cols(2) rows(2)
 *                   K                hang up
 *   from the holder H input(8) start(8) end(8) cols(2) rows(2)   the first frame: how much input it has received, which kept output
 *                                    follows, and the size at its start
 *                   O bytes, W       output, and the changes of size within it
 *                   L                the kept output has been sent; the output from here on is new
 *                   R input(8)       how much input it has received
 *                   X code(4)        the shell has exited; -1: a signal ended it
 *                   T                another connection replaces this one
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmpx.h>
#include "confine.h"

enum { HEADER = 5, FRAME = 32768, MARKS = 64, FIRST_SECONDS = 60, LAST_BYTES = 1 << 20, ACK_MS = 15, ALONE_MS = 1000, LATE_MS = 500 };

struct mark { uint64_t at; uint16_t cols, rows; };

static struct sockaddr_un address = { .sun_family = AF_UNIX };
static ino_t inode;
static int listener = -1, peer = -1, master = -1;
static pid_t shell;
static int status = -1, has_exited, exit_sent;

/* The ring: the output from `start` to `end`, of which the peer has received what is before `sent`. */
static unsigned char *ring;
static uint64_t ring_size, start, end, sent, live_at, after_exit;
static struct mark marks[MARKS];
static int mark_count;

/* What comes from the peer: a frame's header, and input that the terminal has not taken yet. */
static unsigned char header[HEADER], body[8], input[FRAME + 64];
static size_t header_length, body_length, input_length, input_at;
static uint32_t body_left;
static uint64_t received;
static int is_attached, is_live, must_ack;
static int64_t ack_at, alone_since, patience, keep;

static unsigned char out[FRAME + 256];
static size_t out_length, out_at;

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void put(uint64_t number, int bytes) {
  while (bytes-- > 0) out[out_length++] = (unsigned char)(number >> (8 * bytes));
}

static void put_header(char type, uint32_t length) {
  put((unsigned char)type, 1);
  put(length, 4);
}

static uint64_t number_of(const unsigned char *bytes, int length) {
  uint64_t number = 0;
  while (length-- > 0) number = number << 8 | *bytes++;
  return number;
}

/* For `who`. Without the right to write the file nothing happens. */
static void record_login(short type) {
  struct utmpx entry = { .ut_type = type, .ut_pid = shell };
  const char *line = ptsname(master), *user = getenv("USER");
  struct timespec time;
  if (!line || !user) return;
  clock_gettime(CLOCK_REALTIME, &time);
  entry.ut_tv.tv_sec = (int32_t)time.tv_sec;
  strncpy(entry.ut_line, line + 5, sizeof entry.ut_line - 1);
  snprintf(entry.ut_id, sizeof entry.ut_id, "%.3s", line + (strlen(line) > 8 ? 9 : 5));
  if (type == USER_PROCESS) strncpy(entry.ut_user, user, sizeof entry.ut_user - 1);
  setutxent();
  pututxline(&entry);
  endutxent();
}

static void finish(void) {
  if (master >= 0) {
    record_login(DEAD_PROCESS);
    close(master); /* the kernel hangs up the shell and its foreground program */
  }
  unlink(address.sun_path);
  _exit(0);
}

static void mark_size(uint16_t cols, uint16_t rows) {
  if (mark_count > 0 && marks[mark_count - 1].at == end) mark_count--;
  if (mark_count == MARKS) memmove(marks, marks + 1, sizeof marks[0] * --mark_count);
  marks[mark_count++] = (struct mark){ end, cols, rows };
}

/* The size at an offset: that of the last mark at or before it. */
static struct mark size_at(uint64_t offset) {
  struct mark found = marks[0];
  for (int i = 1; i < mark_count && marks[i].at <= offset; i++) found = marks[i];
  return found;
}

static void resize(uint16_t cols, uint16_t rows) {
  struct winsize size = { .ws_col = cols, .ws_row = rows };
  if (cols == 0 || rows == 0) return;
  if (master >= 0) ioctl(master, TIOCSWINSZ, &size);
  mark_size(cols, rows);
}

static void detach(void) {
  struct stat info;
  if (peer >= 0) close(peer);
  peer = -1;
  is_attached = is_live = must_ack = 0;
  header_length = body_length = out_length = out_at = 0;
  body_left = 0;
  alone_since = now();
  /* Nobody can attach again. */
  if (lstat(address.sun_path, &info) != 0 || info.st_ino != inode) finish();
}

static void attach(uint64_t from) {
  sent = from < start || from > end ? start : from;
  live_at = end;
  is_attached = 1;
  is_live = exit_sent = 0;
  patience = keep;
  struct mark size = size_at(sent);
  put_header('H', 28);
  put(received, 8);
  put(sent, 8);
  put(end, 8);
  put(size.cols, 2);
  put(size.rows, 2);
}

/* Fills the empty buffer `out` with the next frames. */
static void compose(void) {
  out_length = out_at = 0;
  if (!is_attached) return;
  while (sent < (is_live ? end : live_at) && out_length < FRAME / 2) {
    uint64_t until = is_live ? end : live_at, next = until;
    if (!is_live)
      for (int i = 0; i < mark_count; i++)
        if (marks[i].at > sent && marks[i].at < next) next = marks[i].at;
    uint64_t at = sent % ring_size, length = next - sent, room = sizeof out - 128 - out_length;
    if (length > ring_size - at) length = ring_size - at;
    if (length > room) length = room;
    put_header('O', (uint32_t)length);
    memcpy(out + out_length, ring + at, length);
    out_length += length;
    sent += length;
    for (int i = 0; !is_live && i < mark_count; i++)
      if (marks[i].at == sent) {
        put_header('W', 4);
        put(marks[i].cols, 2);
        put(marks[i].rows, 2);
      }
  }
  if (!is_live && sent == live_at) {
    put_header('L', 0);
    is_live = 1;
  }
  if (must_ack && (out_length > 0 || now() >= ack_at)) {
    put_header('R', 8);
    put(received, 8);
    must_ack = 0;
  }
  if (has_exited && master < 0 && is_live && sent == end && !exit_sent) {
    put_header('X', 4);
    put(WIFEXITED(status) ? (uint32_t)WEXITSTATUS(status) : UINT32_MAX, 4);
    exit_sent = 1;
  }
}

static void send_out(void) {
  for (;;) {
    if (peer < 0) return;
    if (out_at == out_length) compose();
    if (out_at == out_length) return;
    ssize_t count = send(peer, out + out_at, out_length - out_at, MSG_NOSIGNAL);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count < 0) return detach();
    out_at += (size_t)count;
  }
}

static void write_input(void) {
  while (input_at < input_length) {
    ssize_t count = master < 0 ? (ssize_t)(input_length - input_at) : write(master, input + input_at, input_length - input_at);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count < 0) count = (ssize_t)(input_length - input_at);
    input_at += (size_t)count;
  }
  input_at = input_length = 0;
}

/* A frame other than input is complete. */
static void obey(void) {
  if (header[0] == 'A' && body_length == 8 && !is_attached) attach(number_of(body, 8));
  else if (header[0] == 'W' && body_length == 4) resize((uint16_t)number_of(body, 2), (uint16_t)number_of(body + 2, 2));
  else if (header[0] == 'K') finish();
  else return detach();
  header_length = body_length = 0;
}

static void take(const unsigned char *bytes, size_t length) {
  while (length > 0 && peer >= 0) {
    if (header_length < HEADER) {
      header[header_length++] = *bytes++;
      length--;
      if (header_length < HEADER) continue;
      body_left = (uint32_t)number_of(header + 1, 4);
      body_length = 0;
      if (header[0] == 'I' ? !is_attached : body_left > sizeof body) return detach();
      if (body_left == 0 && header[0] == 'I') header_length = 0;
      else if (body_left == 0) obey();
      continue;
    }
    size_t part = length < body_left ? length : body_left;
    if (header[0] == 'I') {
      memcpy(input + input_length, bytes, part);
      input_length += part;
      received += part;
      if (!must_ack) ack_at = now() + ACK_MS;
      must_ack = 1;
    } else {
      memcpy(body + body_length, bytes, part);
      body_length += part;
    }
    bytes += part;
    length -= part;
    body_left -= (uint32_t)part;
    if (body_left > 0) continue;
    if (header[0] == 'I') header_length = 0;
    else obey();
  }
}

/* Called while no input waits, so that all that is read fits, or before a peer has attached, which then says no more than that. */
static void read_peer(void) {
  static unsigned char bytes[FRAME];
  ssize_t count = recv(peer, bytes, is_attached ? sizeof bytes : HEADER + sizeof body, 0);
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (count <= 0) return detach();
  take(bytes, (size_t)count);
  write_input();
}

static void accept_peer(void) {
  struct ucred who;
  socklen_t length = sizeof who;
  int small = 32768, next = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (next < 0) return;
  if (getsockopt(next, SOL_SOCKET, SO_PEERCRED, &who, &length) != 0 || (who.uid != geteuid() && who.uid != 0)) {
    close(next);
    return;
  }
  if (peer >= 0) {
    if (out_at == out_length) send(peer, "T\0\0\0\0", HEADER, MSG_NOSIGNAL);
    detach();
  }
  setsockopt(next, SOL_SOCKET, SO_SNDBUF, &small, sizeof small);
  peer = next;
}

/* @returns whether there may be more */
static int read_terminal(void) {
  uint64_t at = end % ring_size, room = ring_size - at;
  if (room > FRAME / 2) room = FRAME / 2;
  ssize_t count = read(master, ring + at, room);
  if (count > 0) {
    end += (uint64_t)count;
    if (has_exited) after_exit += (uint64_t)count;
    if (end - start > ring_size) start = end - ring_size;
    if (!is_attached && sent < start) sent = start;
    return after_exit < LAST_BYTES;
  }
  if (count < 0 && errno == EINTR) return 1;
  /* EIO: no process has the terminal open. That is also so before the shell has opened it again, or after it has exited. */
  return 0;
}

static void end_terminal(void) {
  if (master < 0) return;
  record_login(DEAD_PROCESS);
  close(master);
  master = -1;
  input_at = input_length = 0;
}

static void serve(int signals[2]) {
  for (;;) {
    int64_t time = now(), wait = -1;
    if (must_ack) wait = ack_at > time ? ack_at - time : 0;
    /* Output that the peer has not received is not overwritten: it stops the programs instead. */
    int may_read = master >= 0 && (!is_attached || end - sent < ring_size / 4);
    if (has_exited && may_read) wait = 0;
    if (peer < 0) {
      int64_t left = alone_since + patience - time;
      if (left <= 0) finish();
      if (wait < 0 || left < wait) wait = left;
      if (wait > ALONE_MS) wait = ALONE_MS;
    }
    /* A new peer can hang up a shell that reads no input. */
    int may_hear = peer >= 0 && (input_length == 0 || !is_attached);
    struct pollfd polled[] = {
      { .fd = listener, .events = POLLIN },
      { .fd = signals[0], .events = POLLIN },
      { .fd = peer, .events = (short)((may_hear ? POLLIN : 0) | (out_at < out_length ? POLLOUT : 0)) },
      { .fd = master, .events = (short)((may_read ? POLLIN : 0) | (input_length > 0 ? POLLOUT : 0)) },
    };
    /* A terminal that nobody has open is always ready. */
    if (!polled[3].events) polled[3].fd = -1;
    if (poll(polled, 4, (int)wait) < 0 && errno != EINTR) finish();
    /* The container was frozen: nobody could attach. */
    int64_t passed = now() - time;
    if (peer < 0 && passed > wait + LATE_MS) alone_since += passed - wait;
    if (polled[1].revents) {
      char ignored[16];
      if (read(signals[0], ignored, sizeof ignored) > 0)
        for (int code; waitpid(-1, &code, WNOHANG) == shell;) {
          status = code;
          has_exited = 1;
        }
    }
    if (polled[3].revents & POLLOUT) write_input();
    int has_more = 1;
    if (master >= 0 && may_read && (polled[3].revents & (POLLIN | POLLHUP) || has_exited)) has_more = read_terminal();
    if (has_exited && !has_more) end_terminal();
    else if (!has_more && polled[3].revents & POLLHUP) usleep(5000);
    if (polled[2].revents & (POLLIN | POLLHUP | POLLERR) && may_hear) read_peer();
    /* It is gone, with input that was not confirmed. */
    else if (polled[2].revents & (POLLHUP | POLLERR) && peer >= 0) detach();
    if (polled[0].revents) accept_peer();
    send_out();
    /* The peer closes the connection once it knows the exit. */
    if (peer < 0 && exit_sent) finish();
  }
}

static int signal_pipe[2];
static void on_child(int number) {
  int error = errno;
  (void)number;
  if (write(signal_pipe[1], "", 1) < 0) { /* it is full, which wakes the loop as well */ }
  errno = error;
}

/* A folder that only this account can use, and a socket in it. */
static int listen_in(const char *folder) {
  struct stat info;
  unsigned char random[12];
  char name[25];
  if (mkdir(folder, 0700) != 0 && errno != EEXIST) return 0;
  if (lstat(folder, &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() || info.st_mode & 077) return 0;
  if (getentropy(random, sizeof random) != 0) return 0;
  for (size_t i = 0; i < sizeof random; i++) sprintf(name + 2 * i, "%02x", random[i]);
  if ((size_t)snprintf(address.sun_path, sizeof address.sun_path, "%s/%s", folder, name) >= sizeof address.sun_path) return 0;
  listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener >= 0 && bind(listener, (struct sockaddr *)&address, sizeof address) == 0 && listen(listener, 8) == 0 &&
      lstat(address.sun_path, &info) == 0) {
    inode = info.st_ino;
    return 1;
  }
  close(listener);
  return 0;
}

/* As the SSH server does it for a login on a terminal. */
static void print_message_of_the_day(void) {
  char text[4096];
  size_t length;
  if (access(".hushlogin", F_OK) == 0) return;
  FILE *file = fopen("/etc/motd", "re");
  if (!file) return;
  for (int parts = 0; parts < 16 && (length = fread(text, 1, sizeof text, file)) > 0; parts++) fwrite(text, 1, length, stdout);
  fclose(file);
  fflush(stdout);
}

static void run_shell(void) {
  const char *path = getenv("SHELL"), *tty = ttyname(0);
  char name[256];
  if (!path || !*path) path = "/bin/sh";
  const char *slash = strrchr(path, '/');
  snprintf(name, sizeof name, "-%s", slash ? slash + 1 : path);
  setenv("TERM", "xterm-256color", 1);
  if (tty) setenv("SSH_TTY", tty, 1);
  unsetenv("_");
  unsetenv("OLDPWD");
  signal(SIGPIPE, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  print_message_of_the_day();
  execl(path, name, (char *)NULL);
  perror(path);
  _exit(1);
}

static int run_as(char **words) {
  gid_t group = (gid_t)strtoul(words[1], NULL, 10);
  const char *home = getenv("HOME");
  if (!confine()) return 71;
  if (setgroups(1, &group) != 0 || setgid(group) != 0 || setuid((uid_t)strtoul(words[0], NULL, 10)) != 0) return 71;
  if ((!home || chdir(home) != 0) && chdir("/") != 0) return 71;
  execv(words[2], words + 2);
  return 127;
}

/* One direction of `attach`. Returns whether it is open. */
struct way { int from, to; size_t at, length; unsigned char bytes[FRAME]; };

static int move(struct way *way) {
  if (way->at == way->length) {
    ssize_t count = read(way->from, way->bytes, sizeof way->bytes);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 1;
    if (count <= 0) return 0;
    way->at = 0;
    way->length = (size_t)count;
  }
  ssize_t count = write(way->to, way->bytes + way->at, way->length - way->at);
  if (count < 0 && errno != EAGAIN && errno != EINTR) return 0;
  if (count > 0) way->at += (size_t)count;
  return 1;
}

static struct pollfd waited(const struct way *way) {
  if (way->at == way->length) return (struct pollfd){ .fd = way->from, .events = POLLIN };
  return (struct pollfd){ .fd = way->to, .events = POLLOUT };
}

/* Both directions at once: a shell that writes does not read. The end of one is the end of both. */
static int connect_with(const char *path) {
  static struct way in, back;
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || strlen(path) >= sizeof address.sun_path) return 64;
  strcpy(address.sun_path, path);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0) return 69;
  if (write(STDOUT_FILENO, "+", 1) != 1) return 74;
  signal(SIGPIPE, SIG_IGN);
  in = (struct way){ .from = STDIN_FILENO, .to = fd };
  back = (struct way){ .from = fd, .to = STDOUT_FILENO };
  for (int one = 0; one < 3; one++) fcntl(one == 2 ? fd : one, F_SETFL, fcntl(one == 2 ? fd : one, F_GETFL) | O_NONBLOCK);
  for (;;) {
    struct pollfd polled[] = { waited(&in), waited(&back) };
    if (poll(polled, 2, -1) < 0 && errno != EINTR) return 74;
    if (polled[1].revents && !move(&back)) return 0;
    if (polled[0].revents && !move(&in)) return 0;
  }
}

int main(int count, char **words) {
  char folder[64], home[96];
  if (count > 4 && strcmp(words[1], "as") == 0) return run_as(words + 2);
  if (count == 3 && strcmp(words[1], "attach") == 0) return connect_with(words[2]);
  if (count != 5) return 64;
  struct winsize size = { .ws_col = (uint16_t)atoi(words[1]), .ws_row = (uint16_t)atoi(words[2]) };
  ring_size = strtoull(words[3], NULL, 10);
  keep = 1000 * strtoll(words[4], NULL, 10);
  if (!size.ws_col || !size.ws_row || ring_size < FRAME || ring_size > 1 << 26) return 64;

  umask(077);
  snprintf(folder, sizeof folder, "/dev/shm/.hold-%u", (unsigned)geteuid());
  int is_listening = listen_in(folder);
  snprintf(folder, sizeof folder, "/tmp/.hold-%u", (unsigned)geteuid());
  is_listening = is_listening || listen_in(folder);
  snprintf(home, sizeof home, "%.64s/.hold", getenv("HOME") ? getenv("HOME") : "");
  if (!is_listening && !listen_in(home)) return 73;
  ring = mmap(NULL, ring_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (ring == MAP_FAILED || pipe2(signal_pipe, O_NONBLOCK | O_CLOEXEC) != 0) return 71;

  pid_t holder = fork();
  if (holder < 0) {
    unlink(address.sun_path);
    return 75;
  }
  if (holder > 0) {
    printf("%s\n", address.sun_path);
    return 0;
  }
  setsid();
  signal(SIGPIPE, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  struct sigaction action = { .sa_handler = on_child, .sa_flags = SA_RESTART | SA_NOCLDSTOP };
  sigaction(SIGCHLD, &action, NULL);
  int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd < 3; fd++) dup2(nowhere, fd);
  umask(022);
  shell = forkpty(&master, NULL, NULL, &size);
  if (shell == 0) run_shell();
  if (shell < 0) finish();
  fcntl(master, F_SETFL, O_NONBLOCK);
  fcntl(master, F_SETFD, FD_CLOEXEC);
  mark_size(size.ws_col, size.ws_row);
  record_login(USER_PROCESS);
  alone_since = now();
  patience = 1000 * FIRST_SECONDS < keep ? 1000 * FIRST_SECONDS : keep;
  serve(signal_pipe);
}
