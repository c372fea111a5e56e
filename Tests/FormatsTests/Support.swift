import CivilTime
import PluginKit

enum Fixture {
    static let moment = Timestamp(milliseconds: 1_770_365_730_123)
}

/// The typed error that a body throws.
func errorThrown(_ body: () throws -> Void) -> RutterError? {
    do { try body() } catch { return error as? RutterError }
    return nil
}
