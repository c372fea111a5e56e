import CivilTime
import Geodesy
import PluginKit
import Testing
import TrailStores

@testable import GuidancePlugin

/// Hairpins that are cut, and rests beside them: the next leg leads back beside the present one.
@Suite struct CutBendTests {
    private static let ground = Ground()

    /// Legs of 200 m to and fro, and a way on from the last.
    private static func switchbacks(apart: Double) throws -> GuideRoute {
        let legs = (0..<6).flatMap { leg -> [(Double, Double)] in
            let y = Double(leg) * apart
            return leg % 2 == 0 ? [(0, y), (200, y)] : [(200, y), (0, y)]
        }
        let turns = (1..<6).map { leg in
            (Double(leg) * (200 + apart) - apart / 2, leg % 2 == 1 ? TurnDirection.left : .right)
        }
        return try .made(ground.fineLine(legs + [(0, 5 * apart + 300)]), turns: turns)
    }

    @Test("who cuts a hairpin has not turned round", arguments: [20.0, 30, 40])
    func cutHairpin(apart: Double) throws {
        var driver = Driver(try Self.switchbacks(apart: apart))
        for metre in stride(from: 0.0, through: 120, by: 2.6) {
            driver.fix(Self.ground.place(metre, 0), after: 2)
        }
        for metre in stride(from: 0.0, through: apart, by: 2.6) {
            driver.fix(Self.ground.place(120, metre), after: 2)
        }
        for metre in stride(from: 120.0, through: 0, by: -2.6) {
            driver.fix(Self.ground.place(metre, apart), after: 2)
        }
        #expect(!driver.events.contains { $0.kind == .turnedRound || $0.kind == .wrongWay })
        // The second leg is followed: its end is announced.
        #expect(driver.events.contains { $0.kind == .atTurn && $0.turn?.direction == .right })
    }

    @Test(
        "beside hairpins the receiver of one who rests says nothing twice", arguments: [UInt64(1), 2, 3, 4])
    func rest(seed: UInt64) throws {
        var driver = Driver(try Self.switchbacks(apart: 20))
        var random = Xoshiro256(seed: seed)
        var noise = GaussMarkovNoise(sigma: 10, timeConstant: 20)
        for metre in stride(from: 0.0, through: 170, by: 2.6) {
            driver.fix(Self.ground.place(metre, 0), after: 2)
        }
        for _ in 0..<60 { driver.fix(noise.shifted(Self.ground.place(170, 0), after: 2, &random), after: 2) }
        let before = driver.events.count
        for _ in 0..<900 { driver.fix(noise.shifted(Self.ground.place(170, 0), after: 2, &random), after: 2) }
        let atRest = driver.events.dropFirst(before)
        #expect(!atRest.contains { $0.kind == .turnedRound || $0.kind == .offRoute || $0.kind == .passed })
        // Half an hour.
        #expect(atRest.count <= 20, "\(atRest.map(\.kind))")
    }

    @Test("a route that was never reached is not left")
    func neverReached() throws {
        var driver = Driver(try .made(Self.ground.fineLine([(0, 0), (0, 500)])))
        for metre in stride(from: -300.0, through: 0, by: 2.6) {
            driver.fix(Self.ground.place(metre, 0), after: 2)
        }
        let said = driver.events.map { SpokenText(.metric).text($0) }
        #expect(said.first?.hasPrefix("You are not on the route. It is ") == true, "\(said)")
        #expect(said.dropFirst().first == "You have reached the route. It goes on to the north", "\(said)")
        // Afterwards it is left as any other.
        for metre in stride(from: 0.0, through: 100, by: 2.6) {
            driver.fix(Self.ground.place(metre, 0), after: 2)
        }
        let left = driver.events.last.map { SpokenText(.metric).text($0) }
        #expect(left?.hasPrefix("You have left the route") == true, "\(left ?? "")")
    }
}
