"""What a record is: values, pointers, schema, profiles, identity, evidence."""
