import Foundation
import Pictures
import PluginKit
import PluginTestKit
import Synchronization
import Testing
import Workbench

@testable import rutter

/// A command that is declared as making decisions has a trace with a start and an end, and a picture of each step. That
/// one which records decisions is declared so is checked with its examples (`ExampleRunner`).
@Suite(.enabled(if: StoreSample.hasAllPlugins, "needs all built-in plugins and libraries"))
struct DecidingTests {
    private static func specs() async throws -> [CommandSpec] {
        try await TestSession(plugins: builtInPlugins).session.registry.entries.map(\.command.spec)
    }

    @Test func theExamplesOfTheHostPrintWhatTheySay() async throws {
        let entries = try await TestSession(plugins: builtInPlugins).session.registry.entries
        let commands = entries.filter { $0.origin == "host" }.map(\.command)
        let sessions = Mutex<[TestSession]>([])
        let failures = await ExampleRunner.failures(in: commands) {
            let test = try TestSession(plugins: builtInPlugins)
            // The folder of a test session is deleted with it.
            sessions.withLock { $0.append(test) }
            return test.session
        }
        #expect(failures == [])
    }

    @Test func aTraceBeginsAndEndsAndEachStepHasAPicture() async throws {
        for spec in try await Self.specs() {
            guard let decision = spec.decision else { continue }
            let test = try TestSession(plugins: builtInPlugins)
            for line in decision.setup {
                let result = await test.result(line)
                #expect(result.failure == nil, "\(spec.name): \(line): \(result.text)")
            }
            let first = await test.result("step \(decision.line)")
            #expect(first.failure == nil, "\(spec.name): \(first.text)")
            guard case .integer(let count)? = first.value.field("of") else { continue }
            #expect(count > 2, "\(spec.name) decides nothing in its example")
            for index in Set([1, 2, count / 2 + 1, count]).sorted() {
                let step = try await test.value("step to \(index)")
                if index == 1 { #expect(Self.kind(step) == "start", "\(spec.name)") }
                if index == count { #expect(Self.kind(step) == "end", "\(spec.name)") }
                guard case .text(let why)? = step.field("why") else { continue }
                #expect(!why.isEmpty, "\(spec.name): step \(index)")
                let picture = await test.result("step picture")
                #expect(picture.failure == nil, "\(spec.name): step \(index): \(picture.text)")
                try Self.expectDrawn(picture.value, "\(spec.name): step \(index)")
            }
        }
    }

    private static func kind(_ step: Value) -> String? {
        if case .text(let kind)? = step.field("kind") { kind } else { nil }
    }

    /// A picture is something that can be drawn, with something on it.
    private static func expectDrawn(_ value: Value, _ place: String) throws {
        guard case .object(let object) = value else {
            Issue.record("\(place): the picture is \(value.kindName)")
            return
        }
        if let map = object as? any MapDrawable {
            #expect(try !map.mapFeatures.isEmpty, "\(place)")
        } else if let chart = object as? any ChartDrawable {
            #expect(!chart.chart(units: .metric).series.isEmpty, "\(place)")
        } else {
            #expect(object.typeName == "board", "\(place): \(object.typeName) cannot be drawn")
        }
    }
}
