import CivilTime
import PluginKit

/// `clock [TIME|+DURATION]`
struct ClockCommand: CommandProvider {
    var command: Command {
        Command(
            "clock", "shows, sets or moves the session's clock",
            details: "A clock that was set stands still; it moves only by `clock` and by what is simulated.",
            .optional("to", .value, "a time to set it to, or a duration to move it on"),
            output: .value("date"), effect: .pure,
            examples: [
                .init("set it", "clock 2026-02-06T08:15:00Z", gives: "2026-02-06T08:15:00Z"),
                .init(
                    "move it on", "clock +10min", after: ["clock 2026-02-06T08:15:00Z"],
                    gives: "2026-02-06T08:25:00Z"),
            ]
        ) { context, to in
            switch to {
            case nil: break
            case .date(let moment)?: context.clock.set(try checked(moment))
            case .quantity(let quantity)? where quantity.dimension == .duration:
                guard quantity.value >= 0 else {
                    throw SessionErrors.clock(
                        "the clock does not go back", at: .parameter("to"), fix: "set it: clock TIME")
                }
                _ = try checked(context.clock.now.advanced(bySeconds: quantity.value))
                if context.clock.isFollowing { context.clock.set(context.clock.now) }
                context.clock.advance(bySeconds: quantity.value)
            case let other?:
                throw SessionErrors.clock(
                    "the clock takes a time or a duration, not a \(other.kindName)", at: .parameter("to"),
                    fix: "clock 2026-02-06T08:15 or clock +10min")
            }
            return .date(context.clock.now)
        }
    }

    private func checked(_ moment: Timestamp) throws(RutterError) -> Timestamp {
        guard SessionClock.range.contains(moment) else {
            throw SessionErrors.clock(
                "the clock shows the years 1 to 9998", at: .parameter("to"),
                fix: "clock 2026-02-06T08:15")
        }
        return moment
    }
}

/// `seed [N]`
struct SeedCommand: CommandProvider {
    var command: Command {
        Command(
            "seed", "starts the session's random numbers and identifiers anew from a number",
            .positional("number", .integer(0...Int.max), "where random numbers start"),
            output: .nothing, effect: .pure,
            examples: [.init("a seed", "seed 7")]
        ) { context, number in
            context.random.reseed(UInt64(number))
            return .nothing
        }
    }
}
