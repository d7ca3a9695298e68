// Solves a list of boards on all cores, and one board in anytime mode. unique_ptr owns the objects
// of the library and frees them.
//
//     c++ -std=c++17 list.cpp $(pkg-config --cflags --libs slidingtilepdb) -o list
//
// STP_PARTITION in the environment selects other tables than 6-6-3.

#include <slidingtilepdb.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Free {
    void operator()(stp_session *session) const { stp_session_free(session); }
    void operator()(stp_solver *solver) const { stp_solver_free(solver); }
    void operator()(stp_report *report) const { stp_report_free(report); }
};

template <typename T> using Owned = std::unique_ptr<T, Free>;

void check(stp_code code, const stp_error &error)
{
    if (code != STP_OK)
        throw std::runtime_error(error.message);
}

Owned<stp_solver> open_solver(const stp_session *session, const std::string &more)
{
    const char *partition = std::getenv("STP_PARTITION");
    const std::string options =
        "{\"partition\": \"" + std::string(partition ? partition : "6-6-3") + "\"" + more + "}";
    stp_solver *solver = nullptr;
    stp_error error;
    check(stp_solver_open(session, options.c_str(), nullptr, nullptr, nullptr, &solver, &error),
          error);
    return Owned<stp_solver>(solver);
}

// Exceptions must not leave a callback.
extern "C" int keep(std::size_t, const stp_report *report, void *kept) noexcept
{
    static_cast<std::vector<Owned<stp_report>> *>(kept)->emplace_back(stp_report_copy(report));
    return 0;
}

extern "C" int print_event(const char *event, void *) noexcept
{
    std::cout << event << "\n";
    return 0;
}

} // namespace

int main()
{
    const std::vector<const char *> boards = {
        "2 5 3 4/1 6 7 8/9 10 11 12/13 14 0 15",
        "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0",
        "5 2 8 4/1 10 3 11/13 6 0 7/9 14 15 12",
        "not a board",
    };
    try {
        stp_session *opened = nullptr;
        stp_error error;
        check(stp_session_open(nullptr, nullptr, &opened, &error), error);
        const Owned<stp_session> session(opened);

        const Owned<stp_solver> solver = open_solver(session.get(), "");
        std::vector<Owned<stp_report>> reports;
        check(stp_solver_solve_list(solver.get(), boards.data(), boards.size(), keep, &reports,
                                    nullptr, &error),
              error);
        for (const auto &report : reports)
            std::cout << stp_report_json(report.get()) << "\n";

        const Owned<stp_solver> anytime =
            open_solver(session.get(), ", \"mode\": \"anytime\", \"within\": 0.3");
        stp_report *best = nullptr;
        check(stp_solver_solve(anytime.get(), "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", print_event,
                               nullptr, nullptr, &best, &error),
              error);
        std::cout << Owned<stp_report>(best)->moves << "\n";
        return reports.size() == boards.size() ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception &failure) {
        std::cerr << failure.what() << "\n";
        return EXIT_FAILURE;
    }
}
