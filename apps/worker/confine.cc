#include "apps/worker/confine.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/landlock.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <utility>

namespace hone::worker {
namespace {

// What interpreters need that compute and talk on a socket they have. Nothing here opens, starts,
// signals or connects anything.
constexpr std::array kAllowed{SCMP_SYS(brk),           SCMP_SYS(clock_getres),
                              SCMP_SYS(clock_gettime), SCMP_SYS(clock_nanosleep),
                              SCMP_SYS(close),         SCMP_SYS(exit),
                              SCMP_SYS(exit_group),    SCMP_SYS(fstat),
                              SCMP_SYS(futex),         SCMP_SYS(getpid),
                              SCMP_SYS(getrandom),     SCMP_SYS(gettid),
                              SCMP_SYS(gettimeofday),  SCMP_SYS(lseek),
                              SCMP_SYS(madvise),       SCMP_SYS(mremap),
                              SCMP_SYS(munmap),        SCMP_SYS(nanosleep),
                              SCMP_SYS(poll),          SCMP_SYS(read),
                              SCMP_SYS(recvfrom),      SCMP_SYS(restart_syscall),
                              SCMP_SYS(rt_sigaction),  SCMP_SYS(rt_sigprocmask),
                              SCMP_SYS(rt_sigreturn),  SCMP_SYS(sched_yield),
                              SCMP_SYS(sendto),        SCMP_SYS(setitimer),
                              SCMP_SYS(sigaltstack),   SCMP_SYS(time),
                              SCMP_SYS(write)};

// Memory that is never executable.
constexpr std::array kWithoutExecution{SCMP_SYS(mmap), SCMP_SYS(mprotect)};

// What takes processes and threads beside that.
constexpr std::array kForProcesses{SCMP_SYS(fork),  SCMP_SYS(rseq),
                                   SCMP_SYS(vfork), SCMP_SYS(sched_getaffinity),
                                   SCMP_SYS(wait4), SCMP_SYS(set_robust_list),
                                   SCMP_SYS(waitid)};
// No namespace of its own, and no process that is not below it.
constexpr scmp_datum_t kForbiddenClones = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS |
                                          CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                                          CLONE_NEWNET | CLONE_PARENT;

void add_rules_for_processes(scmp_filter_ctx context) {
  for (const int call : kForProcesses) seccomp_rule_add(context, SCMP_ACT_ALLOW, call, 0);
  const scmp_arg_cmp plain = {0, SCMP_CMP_MASKED_EQ, kForbiddenClones, 0};
  seccomp_rule_add_array(context, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, &plain);
  // Its flags are in memory, where no filter sees them; the C library then takes clone.
  seccomp_rule_add(context, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
}

void add_rules(scmp_filter_ctx context) {
  for (const int call : kAllowed) seccomp_rule_add(context, SCMP_ACT_ALLOW, call, 0);
  for (const int call : kWithoutExecution) {
    const scmp_arg_cmp data_only = {2, SCMP_CMP_MASKED_EQ, PROT_EXEC, 0};
    seccomp_rule_add_array(context, SCMP_ACT_ALLOW, call, 1, &data_only);
  }
}

Filter read_filter(int file) {
  const off_t size = ::lseek(file, 0, SEEK_END);
  Filter filter(static_cast<std::size_t>(std::max<off_t>(size, 0)) / sizeof(sock_filter));
  const std::size_t bytes = filter.size() * sizeof(sock_filter);
  if (::pread(file, filter.data(), bytes, 0) != static_cast<ssize_t>(bytes)) filter.clear();
  return filter;
}

bool install(const Filter& filter) {
  if (filter.empty()) return false;
  const sock_fprog program{static_cast<unsigned short>(filter.size()),
                           const_cast<sock_filter*>(filter.data())};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// A ruleset of the newest kernel is refused by an older one: ask for what it knows.
// https://docs.kernel.org/userspace-api/landlock.html
struct Ruleset {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scoped = 0;
};
constexpr int kFirstWithTruncate = 3;
constexpr int kFirstWithNetwork = 4;
constexpr int kFirstWithDevices = 5;
constexpr int kFirstWithScopes = 6;

Ruleset ruleset_for(long version) {
  Ruleset rules;
  rules.files = (1ULL << 13) - 1;
  if (version >= 2) rules.files |= 1ULL << 13;
  if (version >= kFirstWithTruncate) rules.files |= 1ULL << 14;
  if (version >= kFirstWithDevices) rules.files |= 1ULL << 15;
  if (version >= kFirstWithNetwork) rules.network = 3;
  if (version >= kFirstWithScopes) rules.scoped = 3;
  return rules;
}

bool forbid_files() {
  const long version =
      ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return false;
  const Ruleset rules = ruleset_for(version);
  const std::size_t size =
      version >= kFirstWithScopes ? 24 : (version >= kFirstWithNetwork ? 16 : 8);
  const long ruleset = ::syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0) return false;
  const bool done = ::syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  ::close(static_cast<int>(ruleset));
  return done;
}

bool limit_resource(__rlimit_resource_t resource, std::uint64_t most) {
  const rlimit both{most, most};
  return ::setrlimit(resource, &both) == 0;
}

bool limit_resources(const sandbox::WorkerLimits& limits, std::uint64_t base_memory) {
  bool done = limit_resource(RLIMIT_AS, base_memory + limits.memory);
  done &= limit_resource(RLIMIT_FSIZE, 0);
  done &= limit_resource(RLIMIT_CORE, 0);
  done &= limit_resource(RLIMIT_NOFILE, sandbox::kSocket + 1);
  if (limits.processes == 0) done &= limit_resource(RLIMIT_NPROC, 0);
  if (limits.cpu_seconds > 0) done &= limit_resource(RLIMIT_CPU, limits.cpu_seconds);
  return done;
}

constexpr id_t kNobody = 65534;

// RLIMIT_NPROC counts what a user has in a user namespace, and binds everybody but root: so a
// namespace and, for root, another user. https://man7.org/linux/man-pages/man2/getrlimit.2.html
bool count_processes_apart() {
  if (::geteuid() == 0 &&
      (::setgroups(0, nullptr) != 0 || ::setresgid(kNobody, kNobody, kNobody) != 0 ||
       ::setresuid(kNobody, kNobody, kNobody) != 0))
    return false;
  return ::unshare(CLONE_NEWUSER) == 0;
}

// A change of user takes the signal at the parent's death away.
bool dies_with(pid_t parent) {
  return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::getppid() == parent;
}

bool limit_processes(std::uint32_t most) {
  const pid_t parent = ::getppid();
  return count_processes_apart() && dies_with(parent) && limit_resource(RLIMIT_NPROC, 1 + most);
}

Filter make_filter(bool with_processes) {
  scmp_filter_ctx context = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  const int file = static_cast<int>(::syscall(SYS_memfd_create, "filter", MFD_CLOEXEC));
  Filter filter;
  if (context != nullptr && file >= 0) {
    add_rules(context);
    if (with_processes) add_rules_for_processes(context);
    if (seccomp_export_bpf(context, file) == 0) filter = read_filter(file);
  }
  if (context != nullptr) seccomp_release(context);
  if (file >= 0) ::close(file);
  return filter;
}

// The names of walls that do not stand.
class Missing {
 public:
  void need(bool stands, const char* name) {
    if (!stands) names_ += (names_.empty() ? "" : ", ") + std::string(name);
  }
  std::string names() && { return std::move(names_); }

 private:
  std::string names_;
};

}  // namespace

Filters make_filters() { return {make_filter(false), make_filter(true)}; }

std::string isolate() {
  Missing missing;
  ::syscall(SYS_close_range, sandbox::kSocket + 1, ~0U, 0);
  missing.need(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
  missing.need(forbid_files(), "landlock");
  return std::move(missing).names();
}

std::string limit(const sandbox::WorkerLimits& limits, std::uint64_t base_memory,
                  const Filters& filters) {
  Missing missing;
  const bool with_processes = limits.processes > 0;
  missing.need(!with_processes || limit_processes(limits.processes), "user namespaces");
  missing.need(limit_resources(limits, base_memory), "rlimits");
  missing.need(install(with_processes ? filters.with_processes : filters.alone), "seccomp");
  return std::move(missing).names();
}

std::uint64_t address_space() {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen("/proc/self/statm", "re"), &fclose);
  unsigned long pages = 0;
  if (!file || std::fscanf(file.get(), "%lu", &pages) != 1) return 0;
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace hone::worker
