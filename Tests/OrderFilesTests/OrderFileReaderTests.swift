import OrderFiles
import OrderLifecycle
import OrderStorage
import Testing

@Suite("Reader of order files")
struct OrderFileReaderTests {
    private static let row =
        "A-1,Milk,42.50,EUR,2026-05-15 12:00,Friday,\"Main Street 1, Springfield\",48.1,11.6,50,m,12 x 1.5 kg;7 x 2,Ring twice,0123"
    private static let header =
        "externalId,title,price,currency,due,deliveryTime,address,latitude,longitude,radius,radiusUnit,items,note,pin"

    @Test func `All columns of a CSV file are read`() throws {
        let outcome = read("\(Self.header)\n\(Self.row)\n")

        let order = try #require(outcome.orders.first)
        #expect(outcome.error == nil && outcome.events.count == 1)
        #expect(order.number == 2 && order.line == 2 && order.externalID == "A-1" && !order.needsLocation)
        #expect(order.content.title == "Milk" && order.content.price == "42.50" && order.content.currency == "EUR")
        #expect(order.content.due?.text == "2026-05-15T10:00:00.000Z" && order.content.deliveryTime == "Friday")
        #expect(
            order.content.destination.address == "Main Street 1, Springfield" && order.content.destination.coordinate?.longitude == 11.6)
        #expect(order.content.destination.radius == 50 && order.content.destination.radiusUnit == "m")
        #expect(order.content.items.map(\.id) == [12, 7] && order.content.items.map(\.quantity) == ["1.5", "2"])
        #expect(order.content.items.map(\.unit) == ["kg", ""] && order.content.note == "Ring twice" && order.content.pin == "0123")
    }

    @Test func `A line of JSON in the form of the API, and a flat one, contain the same order`() throws {
        let nested = """
            {"externalId":"A-1","title":"Milk","price":"42.50","currency":"EUR","due":"2026-05-15T12:00:00+02:00","deliveryTime":"Friday",\
            "destination":{"address":"Main Street 1, Springfield","latitude":48.1,"longitude":11.6,"radius":50.0,"radiusUnit":"m"},\
            "items":[{"id":12,"quantity":"1.5","unit":"kg"},{"id":7,"quantity":2,"unit":""}],\
            "note":"Ring twice","pin":"0123","id":9,"state":"open"}
            """
        let flat = """
            {"Order number":"A-1","TITLE":"Milk","price":42.50,"currency":"eur","deliver_by":"15.05.2026 12:00","delivery time":"Friday",\
            "address":"Main Street 1, Springfield","lat":"48.1","lon":11.6,"radius":50,\
            "items":"12 x 1.5 kg; 7 x 2","note":"Ring twice","pin":"0123"}
            """
        let csv = read("\(Self.header)\n\(Self.row)\n")

        #expect(read(nested).contents == csv.contents && read(nested).orders.first?.externalID == "A-1")
        #expect(read(flat).contents == csv.contents && read(flat).errors == [])
        #expect(read("\n" + nested + "\r\n\r\n").orders.map(\.number) == [2])
    }

    @Test func `Names of columns are accepted in any order and case, with spaces, hyphens or underscores`() {
        let outcome = read("PRICE,Delivery-Address,Order_Title, currency code ,\u{FEFF}Order Number,LNG,Lat\n1,Here,Milk,EUR,7,2,1\n")

        #expect(outcome.errors == [] && outcome.orders.first?.externalID == "7")
        #expect(outcome.contents.first?.destination.coordinate == Coordinate(latitude: 1, longitude: 2))
    }

    @Test func `Every name of every column is accepted`() {
        for column in OrderColumn.allCases {
            for name in [column.name, column.name.uppercased()] + column.aliases {
                #expect(OrderColumn(header: name) == column, "\(name)")
            }
        }
        #expect(OrderColumn(header: "colour") == nil && OrderColumn(header: "") == nil)
    }

    @Test func `Columns of an export that an import does not use are ignored, and unknown ones are reported once`() {
        let csv = read(
            "title,price,currency,address,id,state,problem,colour,,colour\nMilk,1,EUR,Here,x,y,v,red,,blue\n")
        let json = read(
            #"{"title":"Milk","price":1,"currency":"EUR","address":"Here","colour":1,"destination":{"size":2}}"# + "\n{\"colour\":2}")

        #expect(csv.notices == ["the column \"colour\" is unknown and was ignored"] && csv.orders.count == 1)
        #expect(json.notices.count == 2 && json.notices.last == "the column \"destination.size\" is unknown and was ignored")
    }

    @Test func `A file without a required column is refused with the columns that it has`() {
        #expect(
            read("name,cost,address\nMilk,1,Here\n").error?.description
                == "the first row must name the columns; missing: \"price\", \"currency\"; found: \"name\", \"cost\", \"address\"")
        #expect(read("name,price,address\nMilk,1,Here\n", options: .test(defaultCurrency: "EUR")).contents.first?.currency == "EUR")
        #expect(read("title,name,price,currency,address\n").error == .duplicateColumn(.title, "title", "name"))
    }

    @Test func `A default currency is that of rows without one`() {
        let text = "title,price,currency,address\nMilk,1,,Here\nBread,1,usd,Here\n"

        #expect(read(text, options: .test(defaultCurrency: "EUR")).contents.map(\.currency) == ["EUR", "USD"])
        #expect(read(text).errors == ["row 2: column \"currency\" must not be empty"])
    }

    @Test func `A row names all its faults`() {
        let outcome = read("Title,Cost total,amount,currency,address,lat\n ,9,1.234,Euro,,91\n")

        #expect(
            outcome.errors == [
                "row 2: column \"Title\": \" \" must not be empty",
                "row 2: column \"currency\": \"Euro\" must be a code of ISO 4217 such as EUR",
                "row 2: column \"lat\": \"91\" must be from -90 to 90", "row 2: column \"address\" must not be empty",
            ])
        #expect(outcome.rejectedRows.first?.source == [UInt8](" ,9,1.234,Euro,,91".utf8))
    }

    @Test func `A row with another number of fields than the header is faulty, and empty rows are skipped`() {
        let outcome = read("title,price,currency,address\n,,,\nMilk,1,EUR\n\nMilk,1,EUR,Here,There\nMilk,1,EUR,Here\n")

        #expect(outcome.rejectedRows.map(\.number) == [3, 5] && outcome.orders.map(\.number) == [6])
        #expect(outcome.errors.first?.contains("as many fields as the header (4), not 3") == true)
    }

    @Test func `The second row with an external id is faulty, and names the first`() {
        let outcome = read("externalId,title,price,currency,address\nA,Milk,1,EUR,Here\n,M,1,EUR,H\n,M,1,EUR,H\na,M,1,EUR,H\nA,M,1,EUR,H\n")

        #expect(outcome.errors == ["row 6: column \"externalId\": \"A\" must be unique: row 2 has the same value"])
        #expect(outcome.orders.count == 4)
    }

    @Test func `Addresses without coordinates are listed in a preview`() {
        var preview = OrderFilePreview()
        let rows = (1...120).map { "Milk,\($0),EUR,Street \($0),\($0 % 2 == 0 ? "1,2" : ",")" } + ["Milk,x,EUR,Street,,"]

        for event in read("title,price,currency,address,lat,lon,odd\n" + rows.map { $0 + ",\n" }.joined()).events { preview.add(event) }

        #expect(preview.orderCount == 120 && preview.unlocatedCount == 60 && preview.faultyCount == 1 && preview.notices.count == 1)
        #expect(preview.unlocatedAddresses.prefix(2).map(\.row) == [2, 4] && preview.unlocatedAddresses.last?.address == "Street 119")
        #expect(preview.rejectedRows.map(\.number) == [122])
    }

    @Test func `A preview lists a limited number of rows`() {
        var preview = OrderFilePreview()

        for event in read("title,price,currency,address\n" + String(repeating: "Milk,x,EUR,Here\n", count: 250)).events {
            preview.add(event)
        }

        #expect(preview.faultyCount == 250 && preview.rejectedRows.count == OrderFilePreview.listLimit)
    }

    @Test func `A line that is no object of JSON is faulty, and its position is named`() {
        let outcome = read("{\"title\":}\n[1]\n7\n{\"a\":1,\"title\":\"x\",\"TITLE\":\"y\"}\nnull\n", options: .test(format: .jsonLines))

        #expect(outcome.rejectedRows.map(\.number) == [1, 2, 3, 4, 5] && outcome.error == nil)
        #expect(outcome.errors[0] == "row 1: \"{\"title\":}\" the line must be a JSON object: expected a value at character 10")
        #expect(outcome.errors.contains("row 4: column \"title\": \"y\" must occur only once in an object"))
    }

    @Test func `A member that occurs thousands of times is one error`() {
        let line = "{" + Array(repeating: #""pin":1"#, count: 8_000).joined(separator: ",") + "}"

        let errors = read(line, options: .test(format: .jsonLines)).errors

        #expect(errors.filter { $0.contains("must occur only once in an object") }.count == 1)
        #expect(errors.count < 10)
    }

    @Test(arguments: [
        ("title", "true", "\"true\" must be a text in quotes"), ("title", "5", "\"5\" must be a text in quotes"),
        ("note", "{}", "\"{…}\" must be a text in quotes"), ("latitude", "[]", "\"[…]\" must be a number such as 48.137"),
        ("latitude", "1e999", "\"1e999\" must be a number such as 48.137"), ("price", "4e1", "\"4e1\" must be an amount such as 42.50"),
        ("items", "7", "\"7\" must be an array such as"), ("items", "[1]", "\"[…]\" must be an array such as"),
        ("items", "[{\"id\":99999999999999999999,\"quantity\":\"1\"}]", "\"[…]\" must be an array such as"),
        ("items", "[{\"id\":0,\"quantity\":\"1\"}]", "must have items with an id from 1 to"),
        ("title", "\"a\\u0000\"", "must not contain U+0000"),
    ])
    func `A value of another type is faulty`(key: String, value: String, expected: String) {
        let members = ["title": "\"Milk\"", "price": "1", "currency": "\"EUR\"", "address": "\"Here\""].merging([key: value]) { $1 }
        let line = "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"

        let errors = read(line).errors.filter { !$0.contains("longitude") }

        #expect(errors.count == 1 && errors.first?.contains(expected) == true, "\(errors)")
    }

    @Test func `The progress counts bytes and rows`() throws {
        let bytes = [UInt8]("title,price,currency,address\nMilk,1,EUR,Here\nMilk,x,EUR,Here\n".utf8)
        var reader = OrderFileReader(options: .test())

        try reader.read(bytes.span) { _ in }
        try reader.finish { _ in }

        #expect(reader.progress == OrderFileProgress(byteCount: bytes.count, orderCount: 1, faultyCount: 1))
        #expect(reader.layout?.header == [UInt8]("title,price,currency,address".utf8))
    }
}
