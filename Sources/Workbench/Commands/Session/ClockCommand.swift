import CivilTime
import PluginKit

/// `clock [TIME|+DURATION]`
struct ClockCommand: CommandProvider {
    var name: String { "clock" }

    var command: Command {
        Command(
            name, "show, set or advance the session's clock",
            details: """
                A clock that was set is stopped; only `clock` and simulations advance it. Times as people type them stand in \
                quotes: 'tomorrow 22:00', 'friday 8am', 'in 2 hours'.
                """,
            .optional("to", .value, "time to set, or duration to advance by"),
            output: .value("date"), effect: .pure,
            examples: [
                .init("set it", "clock 2026-02-06T08:15:00Z", gives: "2026-02-06T08:15:00Z"),
                .init(
                    "advance it", "clock +10min", after: ["clock 2026-02-06T08:15:00Z"],
                    gives: "2026-02-06T08:25:00Z"),
            ],
            searchTerms: [
                "time", "date", "now", "pretend it is", "what time is it", "pretend another day",
                "set the date", "freeze time",
            ]
        ) { context, to in
            switch to {
            case nil: break
            case .date(let moment)?: context.clock.set(try checked(moment))
            case .text(let text)?:
                guard let local = LocalTime(text: text) else { throw Self.noTime("the text '\(text)'") }
                context.clock.set(
                    try checked(local.moment(now: context.clock.now, in: context.environment.timeZone)))
            case .quantity(let quantity)? where quantity.dimension == .duration:
                guard quantity.value >= 0 else {
                    throw SessionErrors.clock(
                        "the clock cannot move back", at: .parameter("to"), fix: "set it: clock TIME")
                }
                _ = try checked(context.clock.now.advanced(bySeconds: quantity.value))
                if context.clock.isFollowing { context.clock.set(context.clock.now) }
                context.clock.advance(bySeconds: quantity.value)
            case let other?:
                throw Self.noTime(other.kindWithArticle)
            }
            return .date(context.clock.now)
        }
    }

    private static func noTime(_ what: String) -> RutterError {
        SessionErrors.clock(
            "`clock` takes a time or a duration, not \(what)", at: .parameter("to"),
            fix: "clock 2026-02-06T08:15 or clock +10min")
    }

    private func checked(_ moment: Timestamp) throws(RutterError) -> Timestamp {
        guard SessionClock.range.contains(moment) else {
            throw SessionErrors.clock(
                "the clock is limited to the years 1 to 9998", at: .parameter("to"),
                fix: "clock 2026-02-06T08:15")
        }
        return moment
    }
}

/// `seed NUMBER`
struct SeedCommand: CommandProvider {
    var name: String { "seed" }

    var command: Command {
        Command(
            name, "set the seed of random numbers and identifiers",
            .positional("number", .integer(0...Int.max), "new seed"),
            output: .nothing, effect: .pure,
            examples: [.init("a seed", "seed 7")],
            searchTerms: ["random numbers", "same result every time", "random", "reproducible"]
        ) { context, number in
            context.random.reseed(UInt64(number))
            return .nothing
        }
    }
}
