import CivilTime
import PluginKit
import PluginTestKit
import Testing

@testable import TransitPlugin

/// The next day of service, derived from the rules, equals the one found by checking day by day.
struct CalendarTests {
    private static let start = 20_000

    private func add(
        _ calendar: inout ServiceCalendar, _ name: String,
        _ body: (inout ServiceCalendar, UnsafeRawBufferPointer) -> Void
    ) {
        Array(name.utf8).withUnsafeBytes { body(&calendar, $0) }
    }

    /// Random weeks, including empty and reversed ones, with exceptions of both kinds, some for the same
    /// day.
    private func random(_ random: inout Xoshiro256) -> ServiceCalendar {
        var calendar = ServiceCalendar()
        func day() -> CivilDate {
            CivilDate(daysSinceEpoch: Self.start + Int.random(in: 0..<120, using: &random))
        }
        for service in 0..<5 {
            add(&calendar, "s\(service)") { calendar, name in
                if Bool.random(using: &random) {
                    calendar.add(
                        week: .init(days: Int.random(in: 0..<256, using: &random), start: day(), end: day()),
                        of: name)
                }
                for _ in 0..<Int.random(in: 0..<30, using: &random) {
                    calendar.add(exception: day(), isAdded: Bool.random(using: &random), of: name)
                }
                // A service that is in the table without a rule.
                _ = name
            }
        }
        return calendar
    }

    @Test(arguments: 0..<60)
    func theNextDayOfService(_ round: Int) {
        var generator = Xoshiro256(seed: UInt64(round) + 1)
        let calendar = random(&generator)
        for _ in 0..<20 {
            let from = Self.start + Int.random(in: -30..<150, using: &generator)
            let services = (0..<calendar.count).filter { _ in Bool.random(using: &generator) }
            let expected = (from..<Self.start + 200).first { day in
                let active = calendar.active(on: CivilDate(daysSinceEpoch: day))
                return services.contains { active.runs[$0] }
            }
            let found = calendar.firstDay(from: CivilDate(daysSinceEpoch: from), of: services)
            #expect(found?.daysSinceEpoch == expected)
        }
    }

    /// However far away: days are not checked one by one.
    @Test func aDayOfAnotherMillennium() {
        var calendar = ServiceCalendar()
        let far = CivilDate(daysSinceEpoch: 2_000_000)
        add(&calendar, "s") { $0.add(exception: far, isAdded: true, of: $1) }
        add(&calendar, "w") { $0.add(week: .init(days: 1, start: far, end: far.advanced(by: 6)), of: $1) }
        let monday = (0..<7).map { far.advanced(by: $0) }.first { $0.weekday == 0 }
        #expect(calendar.firstDay(from: CivilDate(daysSinceEpoch: -700_000), of: [0]) == far)
        #expect(calendar.firstDay(from: CivilDate(daysSinceEpoch: -700_000), of: [1]) == monday)
        #expect(calendar.firstDay(from: far.advanced(by: 7), of: [0, 1]) == nil)
        #expect(calendar.firstDay(from: far, of: []) == nil)
    }
}
