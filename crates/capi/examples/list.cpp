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
    void operator()(stp_solver *solver) const { stp_solver_free(solver); }
    void operator()(stp_report *report) const { stp_report_free(report); }
};

using Solver = std::unique_ptr<stp_solver, Free>;
using Report = std::unique_ptr<stp_report, Free>;

Solver open_solver()
{
    stp_open_options options{};
    options.struct_size = sizeof options;
    options.partition = std::getenv("STP_PARTITION");
    stp_solver *solver = nullptr;
    stp_error error;
    if (stp_solver_open(&options, &solver, &error) != STP_OK)
        throw std::runtime_error(error.message);
    return Solver(solver);
}

// Exceptions must not leave a callback.
extern "C" int keep(std::size_t number, const stp_report *report, void *kept) noexcept
{
    auto &reports = *static_cast<std::vector<Report> *>(kept);
    if (number != reports.size())
        return 1;
    reports.emplace_back(stp_report_copy(report));
    return 0;
}

extern "C" int print_better(const stp_report *report, void *) noexcept
{
    std::cout << "so far " << report->length << " moves, at least " << report->bound << "\n";
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
        const Solver solver = open_solver();
        std::vector<Report> reports;
        stp_error error;
        stp_code code = stp_solver_solve_list(solver.get(), boards.data(), boards.size(), nullptr,
                                              keep, &reports, &error);
        if (code != STP_OK)
            throw std::runtime_error(error.message);
        for (const Report &report : reports)
            std::cout << stp_report_json(report.get()) << "\n";

        stp_solve_options options{};
        options.struct_size = sizeof options;
        options.mode = STP_MODE_ANYTIME;
        options.within = 0.3;
        options.on_improved = print_better;
        stp_report *best = nullptr;
        code = stp_solver_solve(solver.get(), "5 10 14 7/8 3 6 1/15 0 12 9/2 11 4 13", &options,
                                &best, &error);
        const Report report(best);
        if (code != STP_OK)
            throw std::runtime_error(error.message);
        std::cout << report->moves << "\n";
        return reports.size() == boards.size() ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const std::exception &failure) {
        std::cerr << failure.what() << "\n";
        return EXIT_FAILURE;
    }
}
