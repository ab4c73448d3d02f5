/* The floor: what the work itself costs. Makes the requests of an agent over one connection and runs the commands that the
 * replies ask for, each in a shell of its own (spawn) or all in one that persists (persist). With `keep` that shell is on a
 * terminal, and what is said is appended to a file in a folder of its own, which reaches the disk before the end. Checks nothing,
 * speaks to nobody else.
 *
 * usage: client PORT TAG STEPS spawn|persist|keep */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* Bytes that grow. */
struct text {
  char *bytes;
  size_t used, room;
};

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static void add(struct text *text, const char *bytes, size_t size) {
  if (text->used + size + 1 > text->room) {
    text->room = (text->used + size + 1) * 2;
    text->bytes = realloc(text->bytes, text->room);
    if (!text->bytes) fail("realloc");
  }
  memcpy(text->bytes + text->used, bytes, size);
  text->used += size;
  text->bytes[text->used] = 0;
}

static void add_words(struct text *text, const char *words) { add(text, words, strlen(words)); }

/* Adds what a JSON string holds. */
static void add_quoted(struct text *text, const char *bytes, size_t size) {
  for (size_t at = 0; at < size; at++) {
    char escaped[8];
    unsigned char byte = (unsigned char)bytes[at];
    if (byte == '"' || byte == '\\') add(text, (char[]){'\\', (char)byte}, 2);
    else if (byte < 0x20) add(text, escaped, (size_t)sprintf(escaped, "\\u%04x", byte));
    else add(text, bytes + at, 1);
  }
}

static void write_all(int file, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(file, bytes, size);
    if (written <= 0) fail("write");
    bytes += written;
    size -= (size_t)written;
  }
}

static void read_more(int file, struct text *text) {
  char piece[65536];
  ssize_t size = read(file, piece, sizeof piece);
  if (size <= 0) fail("read");
  add(text, piece, (size_t)size);
}

static int connect_to(int port) {
  int one = 1, server = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (server < 0 || connect(server, (struct sockaddr *)&address, sizeof address)) fail("connect");
  setsockopt(server, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  return server;
}

struct shell {
  int in, out;
  pid_t process;
};

static struct shell start_shell(void) {
  int in[2], out[2];
  if (pipe(in) || pipe(out)) fail("pipe");
  pid_t process = fork();
  if (process < 0) fail("fork");
  if (process == 0) {
    dup2(in[0], 0), dup2(out[1], 1), dup2(out[1], 2);
    close(in[0]), close(in[1]), close(out[0]), close(out[1]);
    execlp("bash", "bash", "--noprofile", "--norc", (char *)0);
    _exit(127);
  }
  close(in[0]), close(out[1]);
  return (struct shell){in[1], out[0], process};
}

/* The same on a terminal that neither echoes nor changes what passes. */
static struct shell start_terminal(void) {
  int outer = posix_openpt(O_RDWR | O_NOCTTY);
  if (outer < 0 || grantpt(outer) || unlockpt(outer)) fail("terminal");
  int inner = open(ptsname(outer), O_RDWR | O_NOCTTY);
  struct termios modes;
  if (inner < 0 || tcgetattr(inner, &modes)) fail("terminal");
  modes.c_lflag &= ~(tcflag_t)(ECHO | ICANON);
  modes.c_oflag &= ~(tcflag_t)OPOST;
  if (tcsetattr(inner, TCSANOW, &modes)) fail("terminal");
  pid_t process = fork();
  if (process < 0) fail("fork");
  if (process == 0) {
    setsid();
    ioctl(inner, TIOCSCTTY, 0);
    dup2(inner, 0), dup2(inner, 1), dup2(inner, 2);
    close(inner), close(outer);
    setenv("PS1", "", 1), setenv("PS2", "", 1), setenv("TERM", "dumb", 1);
    execlp("bash", "bash", "--noprofile", "--norc", "--noediting", (char *)0);
    _exit(127);
  }
  close(inner);
  return (struct shell){outer, outer, process};
}

/* A file in a folder that is named after the conversation. */
static int start_record(const char *tag) {
  char path[128];
  sprintf(path, "%.100s", tag);
  if (mkdir(path, 0700)) fail("mkdir");
  sprintf(path, "%.100s/record", tag);
  int record = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND, 0600);
  if (record < 0) fail("record");
  return record;
}

/* Appends what was said since the last time. */
static void keep(int record, const struct text *messages, size_t *kept) {
  if (record >= 0) write_all(record, messages->bytes + *kept, messages->used - *kept);
  *kept = messages->used;
}

/* Runs a command in a shell of its own and adds what it printed. */
static void run_alone(const char *command, struct text *printed) {
  int out[2];
  if (pipe(out)) fail("pipe");
  pid_t process = vfork();
  if (process < 0) fail("vfork");
  if (process == 0) {
    dup2(out[1], 1), dup2(out[1], 2);
    close(out[0]), close(out[1]);
    execlp("bash", "bash", "--noprofile", "--norc", "-c", command, (char *)0);
    _exit(127);
  }
  close(out[1]);
  char piece[4096];
  for (ssize_t size; (size = read(out[0], piece, sizeof piece)) > 0;) add(printed, piece, (size_t)size);
  close(out[0]);
  if (waitpid(process, 0, 0) < 0) fail("waitpid");
}

/* Runs a command in the shell and adds what it printed. */
static void run(struct shell *shell, const char *command, struct text *printed) {
  struct text line = {0};
  size_t from = printed->used;
  add_words(&line, "eval '");
  for (const char *at = command; *at; at++) *at == '\'' ? add_words(&line, "'\\''") : add(&line, at, 1);
  add_words(&line, "' </dev/null; printf '\\036%d\\036' $?\n");
  write_all(shell->in, line.bytes, line.used);
  free(line.bytes);
  for (;;) {
    read_more(shell->out, printed);
    char *mark = memchr(printed->bytes + from, 036, printed->used - from);
    if (mark && memchr(mark + 1, 036, (size_t)(printed->bytes + printed->used - mark - 1))) {
      printed->used = (size_t)(mark - printed->bytes);
      return;
    }
  }
}

/* The text behind the last `before` in the reply, up to a quote, which may be escaped; empty when there is none. */
static void find(const char *reply, const char *before, struct text *found) {
  const char *last = 0, *next = reply;
  found->used = 0;
  while ((next = strstr(next, before))) last = next += strlen(before);
  for (; last && *last && *last != '"' && *last != '\\'; last++) add(found, last, 1);
}

static void exchange(int server, const struct text *messages, struct text *request, struct text *reply) {
  static const char settings[] =
      "],\"model\":\"deepseek-v4-flash\",\"stream\":true,\"stream_options\":{\"include_usage\":true},\"tools\":[{\"type\":\"function\","
      "\"function\":{\"name\":\"bash\",\"description\":\"Runs a command in a shell that persists.\",\"parameters\":{\"type\":"
      "\"object\",\"properties\":{\"command\":{\"type\":\"string\"}},\"required\":[\"command\"]}}}]}";
  char head[512];
  request->used = reply->used = 0;
  add(request, head,
      (size_t)sprintf(head,
                      "POST /chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer none\r\ncontent-type: "
                      "application/json\r\ncontent-length: %zu\r\n\r\n",
                      messages->used + sizeof settings - 1));
  add(request, messages->bytes, messages->used);
  add(request, settings, sizeof settings - 1);
  write_all(server, request->bytes, request->used);
  do read_more(server, reply);
  while (reply->used < 5 || memcmp(reply->bytes + reply->used - 5, "0\r\n\r\n", 5) != 0);
}

int main(int count, char **words) {
  if (count != 5) {
    fprintf(stderr, "usage: client PORT TAG STEPS spawn|persist|keep\n");
    return 2;
  }
  int server = connect_to(atoi(words[1]));
  struct shell shell = {-1, -1, 0};
  struct text messages = {0}, request = {0}, reply = {0}, id = {0}, arguments = {0}, printed = {0};
  char prompt[512];
  sprintf(prompt,
          "{\"messages\":[{\"role\":\"system\",\"content\":\"You are a software engineer.\"},{\"role\":\"user\",\"content\":"
          "\"benchmark %s steps=%s;\"}",
          words[2], words[3]);
  add_words(&messages, prompt);
  int record = words[4][0] == 'k' ? start_record(words[2]) : -1;
  size_t kept = 0;
  for (;;) {
    keep(record, &messages, &kept);
    exchange(server, &messages, &request, &reply);
    find(reply.bytes, "\"id\":\"call_", &id);
    /* The arguments are JSON in a JSON string: `{"command":"…"}` with its quotes escaped. */
    find(reply.bytes, "\\\"command\\\":\\\"", &arguments);
    if (id.used == 0) break;
    printed.used = 0;
    if (words[4][0] == 's') {
      run_alone(arguments.bytes, &printed);
    } else {
      if (shell.process == 0) shell = record < 0 ? start_shell() : start_terminal();
      run(&shell, arguments.bytes, &printed);
    }
    add_words(&messages, ",{\"role\":\"assistant\",\"content\":\"Let me look.\",\"tool_calls\":[{\"id\":\"call_");
    add(&messages, id.bytes, id.used);
    add_words(&messages, "\",\"type\":\"function\",\"function\":{\"name\":\"bash\",\"arguments\":\"{\\\"command\\\": \\\"");
    add_quoted(&messages, arguments.bytes, arguments.used);
    add_words(&messages, "\\\"}\"}}]},{\"role\":\"tool\",\"tool_call_id\":\"call_");
    add(&messages, id.bytes, id.used);
    add_words(&messages, "\",\"content\":\"");
    add_quoted(&messages, printed.bytes, printed.used);
    add_words(&messages, "\"}");
  }
  if (record >= 0 && fdatasync(record)) fail("record");
  if (shell.process) {
    close(shell.in);
    waitpid(shell.process, 0, 0);
  }
  return 0;
}
