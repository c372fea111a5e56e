import CivilTime
import Testing

@testable import RoutingPlugin

/// Opening hours of gates and ways. The states are worked out by hand from the specification.
@Suite struct OpeningHoursTests {
    /// A moment written as `2026-03-10 09:00`.
    private func moment(_ text: String) throws -> LocalMoment {
        let numbers = text.split { "- :".contains($0) }.compactMap { Int($0) }
        let date = try #require(CivilDate(year: numbers[0], month: numbers[1], day: numbers[2]))
        return LocalMoment(
            month: date.month, day: date.day, weekday: date.isoWeekday, minute: numbers[3] * 60 + numbers[4],
            year: date.year)
    }

    private func check(_ hours: String, _ text: String, _ state: OpeningHours.State) throws {
        #expect(OpeningHours.state(hours, at: try moment(text)) == state, "\(hours) at \(text)")
    }

    // 2026-05-04 is a Monday.
    @Test func aLaterRuleReplacesItsDays() throws {
        let hours = "Mo-Fr 07:00-19:00; We 09:00-12:00; Sa 09:00-13:00"
        try check(hours, "2026-05-05 18:00", .open)
        try check(hours, "2026-05-06 18:00", .closed)
        try check(hours, "2026-05-06 11:59", .open)
        try check(hours, "2026-05-09 12:59", .open)
        try check(hours, "2026-05-10 12:00", .closed)
    }

    @Test func aRuleAfterACommaAdds() throws {
        let hours = "Mo-Fr 07:00-16:00, We 18:00-20:00"
        try check(hours, "2026-05-06 08:00", .open)
        try check(hours, "2026-05-06 19:00", .open)
        try check(hours, "2026-05-05 19:00", .closed)
    }

    @Test func aListOfTimesIsOneRule() throws {
        try check("Mo,We 07:00-09:00,17:00-19:00", "2026-05-04 18:00", .open)
        try check("Mo,We 07:00-09:00,17:00-19:00", "2026-05-05 18:00", .closed)
    }

    @Test func monthsAndSeasons() throws {
        let hours = "May-Sep 08:00-20:00; Oct-Apr 09:00-16:00"
        try check(hours, "2026-09-30 19:00", .open)
        try check(hours, "2026-10-01 19:00", .closed)
        try check(hours, "2026-01-01 15:00", .open)
        try check("Nov 15-Mar 15 off; 08:00-18:00", "2026-12-24 12:00", .open)
        try check("08:00-18:00; Nov 15-Mar 15 off", "2026-12-24 12:00", .closed)
        try check("08:00-18:00; Nov 15-Mar 15 off", "2026-11-14 12:00", .open)
        try check("24/7; Dec 24,25,26 off", "2026-12-25 12:00", .closed)
        try check("24/7; Dec 24,25,26 off", "2026-12-27 12:00", .open)
    }

    @Test func nightsGoOnAfterMidnight() throws {
        try check("Fr,Sa 21:00-03:00", "2026-05-10 02:00", .open)
        try check("Fr,Sa 21:00-03:00", "2026-05-08 02:00", .closed)
        try check("20:00-27:00", "2026-05-05 02:30", .open)
    }

    @Test func weeksYearsAndTheNthWeekday() throws {
        try check("week 10-20/2 Mo 09:00-12:00", "2026-03-02 10:00", .open)
        try check("week 10-20/2 Mo 09:00-12:00", "2026-03-09 10:00", .closed)
        try check("2026-2027 Jun 10:00-12:00", "2028-06-01 11:00", .closed)
        try check("Sa[2] 10:00-12:00", "2026-05-09 11:00", .open)
        try check("Sa[-1] 10:00-12:00", "2026-05-23 11:00", .closed)
        try check("Sa[1,3] 10:00-12:00", "2026-05-16 11:00", .open)
        try check("easter off; 24/7", "2027-03-28 12:00", .open)
        try check("24/7; easter off", "2027-03-28 12:00", .closed)
    }

    @Test func aHolidayCountsOnlyWhereItChangesTheAnswer() throws {
        try check("Mo-Fr 08:00-18:00; PH off", "2026-05-05 12:00", .unknown)
        try check("Mo-Fr 08:00-18:00; PH off", "2026-05-05 19:00", .closed)
        try check("Mo-Sa,PH 08:00-18:00", "2026-05-05 12:00", .open)
        try check("Mo-Sa,PH 08:00-18:00", "2026-05-10 12:00", .unknown)
    }

    @Test(arguments: [
        "sunrise-sunset", "Mo-Fr 08:00", "by appointment", "Mo-Fr 08:00-17:00 \"ring\"",
        "08:00-17:00 || on request",
        "SH 08:00-12:00", "Xx 08:00-12:00", "Jan 45 off", "week 60 off", "", "08:00+",
    ])
    func whatIsNotEvaluatedIsUnknown(text: String) throws {
        try check(text, "2026-05-05 12:00", .unknown)
        #expect(OpeningHours.state("24/7", at: nil) == .unknown)
    }

    @Test func aMomentWithoutAYearLeavesWeeksUnknown() {
        let now = LocalMoment(month: 5, day: 5, weekday: 2, minute: 720)
        #expect(OpeningHours.state("week 1-20", at: now) == .unknown)
        #expect(OpeningHours.state("Mo-Fr 08:00-17:00", at: now) == .open)
    }
}
