import PluginTestKit
import Testing

@testable import rutter

struct ElevationTests {
    /// What has no coordinates has no heights, in whatever form they are asked for.
    @Test(arguments: ["5", "[1 2]", "'x'"]) func valuesWithoutPlacesAreRefused(_ value: String) async throws {
        let session = try TestSession(plugins: builtInPlugins)
        for form in ["", " --points", " --stats"] {
            let failure = await session.result("\(value) | elevation\(form)").failure
            #expect(failure?.code == "E-PICTURE-NOTHING", "\(value)\(form)")
        }
        #expect(await session.run("[46.5,7.9 46.6,7.9] | elevation --points | count") == "0")
    }

    /// A file that is asked for is written or refused.
    @Test(arguments: ["points", "stats"]) func rowsAreNoPictureToWrite(_ form: String) async throws {
        let session = try TestSession(plugins: builtInPlugins)
        let places = "[46.5,7.9,1200m 46.51,7.9,1350m]"
        let failure = await session.result("\(places) | elevation --\(form) --out a.svg").failure
        #expect(failure?.code == "E-ARG-RANGE")
        #expect(await session.result("\(places) | elevation --\(form) | save a.csv").failure == nil)
    }
}
