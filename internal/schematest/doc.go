// Package schematest writes the JSON Schemas under schema/json from the dialects' tables, and checks documents against
// them. Only tests import it; the program doesn't contain it.
package schematest
