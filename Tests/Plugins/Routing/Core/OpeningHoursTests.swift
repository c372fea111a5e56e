import CivilTime
import Geodesy
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

    @Test func aYearBeforeARangeOfYearsIsNotGuessed() throws {
        try check("2026 Dec 20-2027 Jan 10", "2026-12-24 12:00", .open)
        try check("2025,2026 Dec 20-2027 Jan 10", "2025-07-01 12:00", .unknown)
    }

    @Test func aDayThatIsOffHasNoNightAfterIt() throws {
        try check("20:00-04:00; Dec 24 off", "2026-12-25 02:00", .closed)
        try check("20:00-04:00; Dec 24 off", "2026-12-24 02:00", .open)
        try check("20:00-04:00; Dec 24 off", "2026-12-25 21:00", .open)
        try check("sunrise-02:00; Nov-Mar off", "2026-01-14 01:00", .closed)
    }

    // 2026-05-05 is a Tuesday; whether it is in the holidays is unknown.
    @Test func weekdaysBesideHolidaysAreThoseOfHolidays() throws {
        try check("SH Mo-Fr 08:00-12:00", "2026-05-05 10:00", .unknown)
        try check("SH Mo-Fr 08:00-12:00", "2026-05-09 10:00", .closed)
        try check("Mo-Fr SH 08:00-12:00", "2026-05-05 10:00", .unknown)
        try check("SH,Mo-Fr 08:00-12:00", "2026-05-05 10:00", .open)
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

    /// Easter of 2026 is the 5th of April.
    @Test func rangesFromAndToDaysBesideEaster() throws {
        let hours = "09:00-17:00; easter -2 days-easter +1 day off"
        try check(hours, "2026-04-02 10:00", .open)
        try check(hours, "2026-04-03 10:00", .closed)
        try check(hours, "2026-04-06 10:00", .closed)
        try check(hours, "2026-04-07 10:00", .open)
        try check("Mar 20-easter +1 day 09:00-17:00", "2026-03-20 10:00", .open)
        try check("Mar 20-easter +1 day 09:00-17:00", "2026-04-06 10:00", .open)
        try check("Mar 20-easter +1 day 09:00-17:00", "2026-04-07 10:00", .closed)
    }

    /// The states are those of opening-hours-py 2.1.
    @Test func aRangeMayEndInAnotherYear() throws {
        let hours = "2026 Apr 01-2027 Mar 31 10:00-16:00"
        try check(hours, "2026-07-14 11:00", .open)
        try check(hours, "2026-05-10 09:30", .closed)
        try check(hours, "2026-02-22 11:00", .closed)
        try check(hours, "2027-03-31 11:00", .open)
        try check(hours, "2027-04-01 11:00", .closed)
        #expect(!OpeningHours.isUnderstood("2026 Apr 01-2025 Mar 31 10:00-16:00"))
        #expect(!OpeningHours.isUnderstood("2026 Apr 01-2027 10:00-16:00"))
    }

    @Test func eachNthDayOfAMonth() throws {
        try check("Jan 02-30/2 10:00-12:00", "2026-01-04 11:00", .open)
        try check("Jan 02-30/2 10:00-12:00", "2026-01-30 11:00", .open)
        try check("Jan 02-30/2 10:00-12:00", "2026-01-05 11:00", .closed)
        try check("Jan 02-30/2 10:00-12:00", "2026-02-04 11:00", .closed)
        #expect(!OpeningHours.isUnderstood("Jan 02-30/0"))
        #expect(!OpeningHours.isUnderstood("Jan 02-30/2/2"))
    }

    @Test func onlyAPlusIsUnderstoodWithoutBrackets() {
        #expect(OpeningHours.isUnderstood("sunrise+01:00-sunset"))
        #expect(!OpeningHours.isUnderstood("sunrise-01:00-sunset"))
        #expect(!OpeningHours.isUnderstood("08:00+01:00-sunset"))
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
        "SH 08:00-13:00", "Xx 08:00-12:00", "Jan 45 off", "week 60 off", "", "08:00+",
        // As long as a number can be.
        "easter +9223372036854775807 days off", "Mo[1] -9223372036854775808 days off",
        "Mo[-9223372036854775808] 08:00-12:00", "Mo[6-9223372036854775807] 08:00-12:00",
    ])
    func whatIsNotEvaluatedIsUnknown(text: String) throws {
        try check(text, "2026-05-05 12:00", .unknown)
        #expect(OpeningHours.state("24/7", at: nil) == .unknown)
    }

    /// Sunrise and sunset from the tables of the US Naval Observatory: Zürich on 2026-06-21, 05:29 and 21:26 of summer time.
    @Test func theSunHasAPlace() throws {
        let sun = SunTimes(at: Coordinate(latitude: 47.37, longitude: 8.54), utcOffset: 120)
        let day = try #require(CivilDate(year: 2026, month: 6, day: 21))
        #expect(abs((sun.minute(of: .sunrise, on: day) ?? 0) - (5 * 60 + 29)) <= 2)
        #expect(abs((sun.minute(of: .sunset, on: day) ?? 0) - (21 * 60 + 26)) <= 2)
        func state(_ hours: String, _ text: String) throws -> OpeningHours.State {
            var now = try moment(text)
            now.sun = sun
            return OpeningHours.state(hours, at: now)
        }
        #expect(try state("sunrise-sunset", "2026-06-21 20:00") == .open)
        #expect(try state("sunrise-sunset", "2026-06-21 23:00") == .closed)
        #expect(try state("sunrise-sunset", "2026-06-21 21:27") == .unknown)
        #expect(try state("sunset-sunrise", "2026-06-21 03:00") == .open)
        #expect(try state("(sunrise+01:00)-(sunset-01:00)", "2026-06-21 06:00") == .closed)
        #expect(try state("08:00-sunset", "2026-06-21 20:30") == .open)
        #expect(try state("dawn-dusk", "2026-06-21 05:10") == .open)
        // Without a place the sun is unknown.
        try check("sunrise-sunset", "2026-06-21 12:00", .unknown)
    }

    @Test func theSunOfThePolarDayIsUnknown() throws {
        let sun = SunTimes(at: Coordinate(latitude: 78, longitude: 15), utcOffset: 120)
        let day = try #require(CivilDate(year: 2026, month: 6, day: 21))
        #expect(sun.minute(of: .sunset, on: day) == nil)
    }

    @Test func daysThatDifferByYear() throws {
        try check("easter -2 days off", "2026-04-03 12:00", .closed)
        try check("24/7; easter -2 days off", "2026-04-03 12:00", .closed)
        try check("24/7; easter -2 days off", "2026-04-05 12:00", .open)
        try check("24/7; easter +1 day off", "2026-04-06 12:00", .closed)
        try check("Mar Su[-1]-Oct Su[-1] 09:00-18:00", "2026-03-28 12:00", .closed)
        try check("Mar Su[-1]-Oct Su[-1] 09:00-18:00", "2026-03-29 12:00", .open)
        try check("easter-Oct 31 09:00-18:00", "2026-04-04 12:00", .closed)
        try check("easter-Oct 31 09:00-18:00", "2026-10-31 12:00", .open)
        try check("Su[1] +1 day 10:00-12:00", "2026-05-04 11:00", .open)
        try check("Mar 1 - Oct 31 09:00-18:00", "2026-10-31 12:00", .open)
        try check("week 1,3,10-12 Mo-Fr 09:00-18:00", "2026-03-10 12:00", .open)
        try check("week 1,3,10-12 Mo-Fr 09:00-18:00", "2026-04-10 12:00", .closed)
        try check("2025+ Mo-Fr 09:00-18:00", "2026-04-10 12:00", .open)
    }

    @Test func commentsFallbacksAndOpenEnds() throws {
        try check("Mo-Fr 08:00-18:00 open \"ring the bell\"", "2026-05-05 12:00", .open)
        try check("Mo-Fr 08:00-18:00 \"by appointment\"", "2026-05-05 12:00", .unknown)
        try check("Mo-Fr 08:00-18:00 \"by appointment\"", "2026-05-05 19:00", .closed)
        try check("Mo-Fr 08:00-18:00 || \"by appointment\"", "2026-05-05 12:00", .open)
        try check("Mo-Fr 08:00-18:00 || \"by appointment\"", "2026-05-09 12:00", .unknown)
        try check("08:00-17:00+", "2026-05-05 12:00", .open)
        try check("08:00-17:00+", "2026-05-05 18:00", .unknown)
        try check("08:00-17:00+", "2026-05-05 07:00", .closed)
        try check("off \"until the bridge is mended\"", "2026-05-05 07:00", .closed)
        try check("SH Mo-Fr 08:00-12:00", "2026-05-05 14:00", .closed)
    }

    /// The evaluators take it as closed always; who writes it means the winter alone.
    @Test func rulesThatOnlyCloseDoNotSayWhenItIsOpen() throws {
        try check("Nov-Mar off", "2026-01-14 12:00", .closed)
        try check("Nov-Mar off", "2026-11-01 01:00", .closed)
        try check("Nov-Mar off", "2026-07-14 12:00", .unknown)
        try check("Mo-Fr off; Dec 24 off", "2026-05-09 12:00", .unknown)
        try check("Nov-Mar off; Apr-Oct 08:00-18:00", "2026-07-14 19:00", .closed)
        try check("off", "2026-07-14 12:00", .closed)
    }

    @Test func monthsMayApplyToTheRuleAfterAComma() throws {
        try check("Nov-Mar Mo 08:00-10:00, Tu 14:00-16:00", "2026-01-06 15:00", .open)
        try check("Nov-Mar Mo 08:00-10:00, Tu 14:00-16:00", "2026-05-05 15:00", .unknown)
        try check("Nov-Mar Mo 08:00-10:00, Tu 14:00-16:00", "2026-05-05 17:00", .closed)
    }

    private func value(_ text: String, _ moment: LocalMoment) -> ConditionalAccess.Outcome {
        ConditionalAccess.value(text, at: moment)
    }

    @Test func conditionsOfTheWholeGrammar() throws {
        var night = try moment("2026-05-05 23:30")
        night.sun = SunTimes(at: Coordinate(latitude: 47.37, longitude: 8.54), utcOffset: 120)
        #expect(value("no @ (sunset-sunrise)", night) == .value("no"))
        let noon = try moment("2026-05-05 12:00")
        #expect(value("no @ (2026 Mar 01-May 31)", noon) == .value("no"))
        #expect(value("no @ (2027 Mar 01-May 31)", noon) == .otherwise)
        #expect(value("no @ (week 19; week 21)", noon) == .value("no"))
        #expect(value("no @ ((Mo-Fr) AND (10:00-14:00))", noon) == .value("no"))
        #expect(value("no @ (Mo-Fr and 10:00-11:00)", noon) == .otherwise)
        // The last that applies wins.
        #expect(value("no @ (Mo-Fr); yes @ (10:00-14:00)", noon) == .value("yes"))
        // What is unknown decides only where nothing after it does.
        #expect(value("no @ wet; yes @ (10:00-14:00)", noon) == .value("yes"))
        #expect(value("yes @ (10:00-14:00); no @ wet", noon) == .unknown)
        #expect(value("no @ (wet AND 20:00-22:00)", noon) == .otherwise)
    }

    @Test func aMomentWithoutAYearLeavesWeeksUnknown() {
        let now = LocalMoment(month: 5, day: 5, weekday: 2, minute: 720)
        #expect(OpeningHours.state("week 1-20", at: now) == .unknown)
        #expect(OpeningHours.state("Mo-Fr 08:00-17:00", at: now) == .open)
    }
}
