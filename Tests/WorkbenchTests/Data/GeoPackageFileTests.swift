import Foundation
import PluginKit
import Testing

@testable import Workbench

@Suite("GeoPackage files as rows")
struct GeoPackageFileTests {
    @Test("a column with the name of the geometry replaces neither it nor another column")
    func takenNames() async throws {
        let data = try DataSession()
        let row = "[{l: [46.5,7.9 46.6,7.9] line: 'S1' columnLine: 'x'}]"
        _ = await data.run("\(row) | export q.gpkg")
        #expect(await data.run("open q.gpkg | get columnLine") == "x")
        #expect(await data.run("open q.gpkg | get columnLine2") == "S1")
    }

    @Test("more fields than a layer has are refused")
    func manyFields() async throws {
        let names = (1...2000).map { "c\($0)" }.joined(separator: ",")
        let cells = Array(repeating: "1", count: 2000).joined(separator: ",")
        let data = try DataSession(files: ["wide.csv": "\(names)\n\(cells)\n"])
        let code = await data.code("open wide.csv | extend at=46.5,7.9 | export wide.gpkg")
        #expect(code == "E-INPUT-KIND")
    }
}
